EXPECT: 1 2 3
type A = `${any}`;
type B<T> = Omit<T, `${string}${any}`>;
type C = `x${any[][0]}`;
const s = `${x}: any`;
