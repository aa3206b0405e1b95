EXPECT: 1 2 3 4 5 6 7 8 9 10 11 13 15 16 17 18 25 28
export const a = async () => (await fetch<User>("/x")).json();
export const b = async () => await window.fetch<User[]>("/x");
const c = (window as any).fetch("/x");
const d = (globalThis as unknown as { fetch: F }).fetch("/x");
const e = (fetch)("/x") || (fetch as F)("/x");
const f = new XMLHttpRequest;
const g = (<F>fetch)("/x");
fetch.call(null, "/x");
fetch.bind(null)("/x");
const h = !fetch<X>("/x");
const i = 1 + fetch<X>("/x");
const sockets = new Map<string, WebSocket>();
const j = new WebSocket("x");
class Panel {
  first = cached ?? fetch("/x");
  second = () => fetch("/x");
  third = new WebSocket("x");
  fourth = await fetch("/x");
  fetch(x: string) { return x; }
  #fetch() { return this.#fetch(); }
  async *fetch<T>(x: T): any {}
  get fetch(): F { return 1; }
}
const asSocket = (x: unknown): WebSocket =>
  x ? x : new WebSocket("x");
function f({ a = 1, load = () => 1 }: P) {}
function g({ a = 
  fetch("/x") }: P) {}
const k = on ? new Map<A, B>() : c;
type Own = { fetch(x: string): void; window: { fetch(): void } };
{
  const fetch = 1;
  (fetch as any)("/x");
}
