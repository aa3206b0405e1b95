EXPECT: 3 4 5 11
prefs[nodeIntegration] = true;
const a = { [nodeIntegration]: true };
const b = { ["nodeIntegration"]: true };
prefs.nodeIntegration ||= true;
prefs["nodeIntegration"] ??= true;
prefs.nodeIntegration ||= false;
prefs.nodeIntegration += 1;
type A = [Array<string>, { nodeIntegration: true }];
type B<T> = T extends 'x' ? { nodeIntegration: true } : { nodeIntegration: true };
const c: Map<[string, { nodeIntegration: true }], 1> = d;
const e = { default: { nodeIntegration: true } };
function f(): { a: 1 }[] {
  const rows: { nodeIntegration: true }[] = [];
}
