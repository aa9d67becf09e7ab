// Sends requests for https://api.notion.com to the server that NOTION_BASE_URL names, in any program
// that runs on Node.js: fetch, node-fetch, axios and everything else that uses node:https.
//
//   NOTION_BASE_URL=http://localhost:8080 NODE_OPTIONS="--import /path/to/notion-redirect.mjs" n8n start
import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";

const HOST = "api.notion.com";
const base = new URL(process.env.NOTION_BASE_URL);

const { fetch } = globalThis;
globalThis.fetch = (input, init) => {
  const request = input instanceof Request ? input : undefined;
  const url = new URL(request?.url ?? input);
  if (url.hostname !== HOST) return fetch(input, init);
  const target = new URL(url.pathname + url.search, base);
  return request ? fetch(new Request(target, request), init) : fetch(target, init);
};

for (const method of ["request", "get"]) {
  const original = https[method];
  https[method] = (...args) => {
    const callback = args.findLast((arg) => typeof arg === "function");
    const given = typeof args[0] === "string" ? new URL(args[0]) : args[0];
    const options = typeof args[1] === "object" ? args[1] : {};
    const hostname = given.hostname ?? given.host ?? options.hostname;
    if (hostname?.split(":")[0] !== HOST) return original(...args);
    const path = given.path ?? `${given.pathname}${given.search}`;
    const { protocol, hostname: name, port } = base;
    const headers = { ...options.headers, ...given.headers, host: base.host };
    const target = {
      ...options,
      ...(given instanceof URL ? { path } : given),
      ...{ path, protocol, hostname: name, host: name, port, headers, agent: undefined },
    };
    const isSecure = protocol === "https:";
    return (isSecure ? original : http[method])(target, callback);
  };
}
syncBuiltinESMExports();
