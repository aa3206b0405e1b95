EXPECT: 2 3 4 9 10 11 12 13 14 15 16 17 18 19 20 21 22 28 29 30 32 36
export const any = (of: unknown): Any => new Any(of);
function f(): Expect<{}> { const r: any = {}; return r; }
function g(a: X): Y | undefined { const q: { [key: string]: any } = {}; return q; }
export const h = (e: any) => e;
expect.any = any;
const i = [any, 1];
const j = { any, k: any };
call(any, any);
type A = B extends C ? any : D;
type E = () => any;
type G = [any, string];
let k: () => any;
let l: Array<any>;
let m: Map<string, any>;
const n = <T = any>(x: T) => x;
type H = (any)[];
const o = p as any;
let q: string | any;
type I = [...any];
const r: [any] = s;
call<any>(1);
let t: (a: any, b: any[]) => any;
const u = c ? any : any;
const v = (any);
const w = () => any;
if (a < any) {}
const x = [...any, 1];
class J { a: any; b = any;
  c(): any { return any; }
  d: { e: any };
  f = any;
  g(x?: any) {}
}
function y(a: T): asserts a is U<V> {
  return any;
  const z: any = 1;
}
