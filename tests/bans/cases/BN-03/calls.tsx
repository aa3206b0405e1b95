EXPECT: 1 2 3 4 5 6 7 8 9 10 11 13 15 17
fetch("/a");
await window.fetch("/b");
globalThis.fetch("/c"); self.fetch("/d");
window["fetch"]("/e");
fetch?.("/f");
const v = a ? fetch("/g") : null;
navigator.sendBeacon("/h");
const w = new WebSocket("wss://i");
const x = new XMLHttpRequest();
new window.EventSource("/j");
axios.get("/k");
refetch(); api.fetch(1); this.fetch(2); query.fetch?.(3); x.window.fetch(4);
export const load = () => fetch<Data>("/l");
let t: WebSocket, u: typeof fetch;
switch (a) { case fetch("/m"): break; }
// fetch("/n") and "fetch(1)"
const p = <Button onClick={() => fetch("/o")}>fetch(1)</Button>;
const o = { fetch() {}, async fetch2() {}, fetch: 1, get fetch() { return 1; } };
class A { fetch(x: string) { return x; } async fetch(): Promise<void> {} }
interface I { fetch(a: string): void; fetch: string }
axios.isAxiosError(x); new Foo(fetch);
