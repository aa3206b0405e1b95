EXPECT: 4
function f(any) {
  return any || { a: any };
}
let b: any;
try {} catch (any) { c = [any]; }
const g = ({ any }) => [any, 1];
