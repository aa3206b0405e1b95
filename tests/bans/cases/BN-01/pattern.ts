EXPECT: 4 5
const { a: any, ...rest } = x;
const b = [any], c = any || d, e = { f: any };
call(any, (any));
const g = (x: any): any => x as any;
type H = A extends [any, infer B] ? any : never;
