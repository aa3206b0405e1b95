EXPECT: 5
function fetch(a) { return a; }
fetch(1);
class WebSocket {}
new WebSocket();
new XMLHttpRequest();
