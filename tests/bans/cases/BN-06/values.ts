EXPECT: 1 2 3 11 12 14 15 17 20 21
const p = { nodeIntegration: true };
prefs.nodeIntegration = true;
const q = { "nodeIntegration":
  true };
const s = "nodeIntegration: true"; // nodeIntegration: true
interface P { nodeIntegration: boolean }
type T = { nodeIntegration: true };
const ok = { nodeIntegration: false, a: [{ nodeIntegrationInWorker: (false) }] };
const OFF = false;
const ok2 = { nodeIntegration: OFF };
const bad = { nodeIntegration: isDev };
const nodeIntegration = true; const sh = { nodeIntegration };
function f(o: { nodeIntegration: boolean }): { nodeIntegration: string } { return { nodeIntegration: !1 } }
class C { nodeIntegration: boolean; m(a = { nodeIntegrationInWorker: true }) {} }
prefs["nodeIntegration"] = x;
const { nodeIntegration: ren } = prefs;
new W({ webPreferences: { nodeIntegration: a ? true : false } });
if (x) { prefs.nodeIntegration = false }
const u: { nodeIntegration: boolean } = { nodeIntegration: false as const };
const v = { ["nodeIntegrationInSubFrames"]: 1, nodeIntegration };
let LATER = false; const w = { nodeIntegration: LATER };
const x2 = ({ nodeIntegration }) => nodeIntegration === true;
