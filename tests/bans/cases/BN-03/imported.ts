EXPECT: 5 6 8 11
import { fetch } from "./data";
fetch("/a");
import http from "axios";
import { post as send, isAxiosError } from "axios";
http.get("/b");
send("/c");
import * as all from "axios";
all.default.get("/d");
isAxiosError(1);
const request = require("axios");
request("/e");
