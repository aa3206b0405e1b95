EXPECT: 1 2 3 5 6
const a = await sql<Array<any>>`select ${b}`;
const c = css<any>`color: ${d}`;
const e = f.g<Map<string, any>>
  `h`;
type I = [...any, infer J];
type K = [string, ...any ];
const l = m > `any`;
