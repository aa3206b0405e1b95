EXPECT: 1 2 3 5 6 8 9 11 12 14 15
ipcRenderer.sendSync("c", 1);
require("@electron/remote/main");
require("electron").remote;
ipcRenderer.invoke("c"); // @electron/remote
import { remote } from "electron";
import * as r from "@electron/remote";
import electron from "electron";
electron.remote.app;
const { remote: rr } = require("electron");
const el = require("electron");
el.remote.x();
x = { enableRemoteModule: true };
const s = "@electron/remote";
electron.ipcRenderer.sendSync("d");
export { x } from "@electron/remote";
import type { Other } from "@electron/remotely";
