EXPECT: 1 3 4 5 7
const a = <webview nodeintegration />;
const b = <webview nodeintegration={false} />;
const c = <webview nodeintegration={x} src="y"></webview>;
el.setAttribute("nodeintegration", "");
const st = <A style={{ nodeIntegration: true }} />;
const d = <p>nodeIntegration: true <b nodeintegration /></p>;
const e = <webview nodeintegration="">x</webview>;
