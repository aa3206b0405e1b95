EXPECT: 1 2 3 6
const a = { contextIsolation: false };
const b = { sandbox: false };
app.commandLine.appendSwitch("no-sandbox");
const c = { contextIsolation: true, sandbox: true };
// sandbox: false
const d = { sandbox: process.env.SANDBOX };
app.commandLine.appendSwitch("force-gpu");
const e = { sandbox: !0 };
