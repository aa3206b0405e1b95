EXPECT: 1
// @ts-nocheck
module.exports = 1;
