import http2 from "node:http2";
import { assertEquals } from "../assert.ts";
import { type Wire, withServer } from "../support/socket.ts";
import { watchStore } from "../support/watched_store.ts";
import { lastRequest, outcome } from "./support.ts";

/** Outcomes of GET of this target with this `Host`. */
async function get({ exchange }: Wire, target: string, ...fields: string[]): Promise<string[]> {
  const answers = await exchange(lastRequest(`GET ${target} HTTP/1.1`, fields));
  return answers.map(outcome);
}

/** The calls of the store that belong to no request. */
const BESIDE = new Set(["dueWorkspaces", "searchedWorkspaces", "sweepable"]);
const REFUSED = ["400 invalid_request"];

Deno.test("a Host that holds a path moves the request to no other route", async () => {
  const { store, calls } = watchStore();
  await withServer(async (wire) => {
    const asked = () => calls.filter((name) => !BESIDE.has(name));
    const before = asked();
    assertEquals(await get(wire, "/v2/users/me", "Host: h/v2/openapi.json?"), REFUSED);
    assertEquals(await get(wire, "/v2/openapi.json", "Host: h/v2/pages/SECRET?x="), REFUSED);
    assertEquals(wire.logged().map(({ route, status }) => [route, status]), [
      [null, 400],
      [null, 400],
    ]);
    assertEquals(asked(), before);
  }, { store });
});

Deno.test("a Host that is missing or no authority is refused", () =>
  withServer(async (wire) => {
    const bad = [
      "h#",
      "h\\x",
      "u:p@h",
      "h:99999",
      "a b",
      "[::1",
      "%61",
      "",
      "h:",
      "h,h",
      "h/",
      "?",
    ];
    for (const host of bad) {
      assertEquals(await get(wire, "/healthz", `Host: ${host}`), REFUSED, host);
    }
    assertEquals(await get(wire, "/healthz"), REFUSED);
    // Of two the runtime itself refuses the second, without a body.
    assertEquals(await get(wire, "/healthz", `Host: ${wire.host}`, "Host: other.test"), ["400"]);
  }));

Deno.test("a Host is taken in any case, with or without a port", () =>
  withServer(async (wire) => {
    for (const host of ["H.TEST:8000", "h.test", "[::1]:80", `localhost:${wire.port}`]) {
      assertEquals(await get(wire, "/healthz", `Host: ${host}`), ["200"], host);
    }
  }));

Deno.test("an absolute target must name the host that Host names", () =>
  withServer(async (wire) => {
    const host = `Host: ${wire.host}`;
    assertEquals(await get(wire, `http://${wire.host}/healthz`, host), ["200"]);
    for (const target of ["http://evil/healthz", `http://u:p@${wire.host}/healthz`]) {
      assertEquals(await get(wire, target, host), REFUSED, target);
    }
    assertEquals(await get(wire, `ftp://${wire.host}/healthz`, host), REFUSED);
  }));

Deno.test("a Host that was sound speaks for no other that follows it", () =>
  withServer(async (wire) => {
    const bad: [target: string, ...fields: string[]][] = [
      ["/healthz"],
      ["/healthz", "Host: h/healthz?"],
      ["/healthz", "Host: h:99999"],
      ["/healthz", "Host: h#"],
      ["http://h/healthz", "Host: i"],
      ["http://i/healthz", "Host: h"],
      ["http://h:81/healthz", "Host: h"],
      ["https://h?/healthz", "Host: h"],
    ];
    for (const [target, ...fields] of bad) {
      assertEquals(await get(wire, "/healthz", "Host: h"), ["200"]);
      assertEquals(await get(wire, target, ...fields), REFUSED, `${target} ${fields}`);
    }
  }));

/** Status of a request over HTTP/2, its pseudo-fields given. */
function overHttp2(port: number, fields: http2.OutgoingHttpHeaders): Promise<number> {
  const client = http2.connect(`http://127.0.0.1:${port}`);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const stream = client.request(fields);
  client.on("error", reject);
  stream.on("error", reject);
  stream.on("response", (answer) => resolve(Number(answer[":status"])));
  stream.resume();
  stream.end();
  return promise.finally(() => new Promise<void>((closed) => client.close(closed)));
}

Deno.test("over HTTP/2 scheme, path and authority are judged as the rest is", () =>
  withServer(async ({ port }) => {
    const path = { ":path": "/healthz" };
    assertEquals(await overHttp2(port, path), 200);
    assertEquals(await overHttp2(port, { ...path, ":scheme": "file" }), 400);
    assertEquals(await overHttp2(port, { ":path": "*" }), 400);
    assertEquals(await overHttp2(port, { ...path, ":authority": "a.test", host: "b.test" }), 400);
  }));
