EXPECT: 1 2 3 4 5 6 7 9 12 14 16 18 23
// @ts-ignore
//@ts-expect-error
/// @ts-ignore
/* @ts-ignore */
/** @ts-ignore */
// @ts-nocheck
// @TS-NoCheck
// @TS-IGNORE
const a = /* @ts-expect-error */ b;
// we removed @ts-ignore here
//// @ts-ignore
/**
 * @ts-ignore
 */ /* @ts-expect-error because
*/
/* some words
   @ts-ignore */
/*
 * @ts-expect-error
 */
const s = "// @ts-ignore" + '@ts-ignore' + `// @ts-ignore`;
const re = /\/\/ @ts-ignore/;
/* @ts-ignored is what the compiler heeds too: it reads no further */
// eslint-disable @ts-ignore
