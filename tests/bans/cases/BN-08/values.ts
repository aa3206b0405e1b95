EXPECT: 1 2 4 5 6
const a = { webSecurity: false };
const b = { enableBlinkFeatures: "X" };
const c = { enableBlinkFeatures: "", webSecurity: true };
const d = { enableBlinkFeatures: undefined, allowRunningInsecureContent: true };
view.setAttribute('allowpopups', "");
view.setAttribute(`allowpopups`);
view.getAttribute('allowpopups');
