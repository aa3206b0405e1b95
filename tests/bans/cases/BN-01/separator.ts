EXPECT: 1
// a comment ends at a line separator export const a: any = 1;
