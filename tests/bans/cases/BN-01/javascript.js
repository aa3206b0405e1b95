EXPECT:
/** @param {any} x */
const a = (x) => x; // : any
const b = { any: 1 };
