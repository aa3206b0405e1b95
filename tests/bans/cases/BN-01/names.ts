EXPECT:
import { any, x as any2 } from "any";
import any3, { type any as z } from "./any";
import * as any4 from "any";
export { any } from "./any";
export { x as any };
export type { any as b } from "./any";
const o = { any: 1, b: any, any };
const { any: z2 } = o;
Promise.any([]);
expect.any(String);
any("x");
o.any;
o?.any();
function call(any: string) { return any; }
const f = (any: number, b?: string) => 1;
const g = any => 1;
interface P { any: string; any?: number; any(): void; readonly any: 1 }
class C { any = 1; static any: number; #any = 2; any?(): void }
enum E { any, b }
type T = { any: string, b: 1 };
type Tup = [any: string, b: number];
type Fn = (any: string) => void;
type Idx = { [any: string]: number };
type Q = ns.any;
type V = typeof any;
type W = any.x;
const s = ": any" + ': any' + `: any`; // : any
/* as any */
const re = /: any/;
any: for (;;) break any;
switch (any) { case any: break; }
const t = x ? any() : y;
if (a < any.b || any > c) {}
