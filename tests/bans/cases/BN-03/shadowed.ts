EXPECT: 5 11 13 19
function outer() {
  const fetch = (a) => a;
  fetch(1);
}
fetch(2);
function inner({ fetch }) {
  fetch(3);
}
const h = (fetch) => fetch(4);
const k = fetch => fetch(5);
fetch(6);
const axios = require("axios");
axios.get(7);
function local(axios: X): void { axios.get(8); }
try {} catch (fetch) { fetch(9); }
for (const fetch of list) { fetch(10); }
const m = ({ request: fetch }, [axios2]) => { fetch(11); };
const n = (x = fetch) => x;
const o = ({ fetch: f }) => fetch(12);
