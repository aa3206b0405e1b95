EXPECT: 3 4 5 6
import * as any from 'x';
const x = [any, ...any], y = a ? any : b, z = { [any]: any };
let c: any;
type T = [any, ...any[]];
type U = `a${any}b`;
const d = { get e(): any { return 1; } };
const f = `${any}`;
if (a < any) {}
