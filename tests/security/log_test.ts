import { createLog, type Log, type RequestRecord } from "../../src/shared/log.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { withApp } from "../support/app.ts";
import { latin1, withServer } from "../support/socket.ts";
import { watchStore } from "../support/watched_store.ts";
import { createPage, outcome, UNKNOWN } from "./support.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

Deno.test("each request is one line that names route, outcome and caller, and no more", () =>
  withApp(async ({ call, lines, mint }) => {
    await call(`GET /v2/pages/${UNKNOWN}`, { headers: { "x-request-id": "mine_1" } });
    await call(`GET /v2/pages/${UNKNOWN}`, { token: await mint({ scope: "" }) });
    await call("GET /v2/openapi.json", { token: null });
    await call("GET /nowhere", { token: null });
    const shown = lines.map(({ time, ms, request_id, subject, ...rest }) => {
      assertMatch(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert(typeof ms === "number" && ms >= 0);
      assert(request_id === "mine_1" || UUID.test(String(request_id)));
      assert(subject === undefined || /^[0-9a-f]{16}$/.test(String(subject)));
      return rest;
    });
    const start = { level: "info", method: "GET" };
    const page = { ...start, route: "/v2/pages/:page_id" };
    assertEquals(shown, [
      { ...page, status: 404, code: "object_not_found", decision: "allow" },
      { ...page, status: 403, code: "forbidden", decision: "deny", missing: ["pages.read"] },
      { ...start, route: "/v2/openapi.json", status: 200, decision: "public" },
      { ...start, route: null, status: 404, code: "route_not_found", decision: null },
    ]);
    assertEquals(lines[0]?.request_id, "mine_1");
  }));

Deno.test("the line of a refused token has the exact reason, and the answer only what its caller can do", () =>
  withApp(async ({ call, lines, mint }) => {
    const token = await mint({ now: Date.now() - 3_600_000 });
    const answers = [
      await call("GET /v2/users/me", { token }),
      await call("GET /v2/users/me", { token: null }),
      await call("GET /v2/users/me"),
    ];
    assertEquals(answers.map(({ status }) => status), [401, 401, 200]);
    assertEquals(lines.map(({ reason }) => reason), [
      "The token has expired",
      undefined,
      undefined,
    ]);
    assertEquals(answers[0]?.json.detail, "The access token has expired. Request a new one.");
    assertEquals(/reason|The token has expired/.test(answers[0]?.text ?? ""), false);
  }));

Deno.test("no line holds a token, a body, a query, a cursor or a path as it was sent", () =>
  withApp(async (app) => {
    const title = "SENTINEL-title";
    const id = await createPage(app, {
      body: { properties: { title: [{ text: { content: title } }, { text: { content: "x" } }] } },
    });
    const token = await app.mint({
      sub: "SENTINEL-sub",
      email: "SENTINEL@x.test",
      name: "SENTINEL",
    });
    const list = await app.call(`GET /v2/pages/${id}/properties/title?page_size=1`, { token });
    await app.call(`GET /v2/pages/${id}?filter_properties=SENTINEL`, { token });
    await app.call("GET /v2/SENTINEL/path", { token });
    await app.call("POST /v2/pages", { token, body: '{"SENTINEL' });
    await app.call("GET /v2/users/me", {
      token: "SENTINEL.token.x",
      headers: { cookie: "SENTINEL" },
    });
    const text = JSON.stringify(app.lines);
    for (const secret of [token, list.json.next_cursor, id, "SENTINEL"]) {
      assertEquals(text.includes(secret), false, secret);
    }
    assertEquals(app.lines.length, 6);
  }));

Deno.test("what a client sends can neither break a line nor forge one nor make it long", () =>
  withServer(async ({ exchange, host, logged }) => {
    const evil = '\x1b[31m%0a{"level":"error"}';
    const requests = [
      `GET /${evil}?${evil} HTTP/1.1\r\nHost: ${host}\r\nX-Request-Id: ${evil}`,
      `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nX-Request-Id: a b\r\nUser-Agent: ${evil}`,
      `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nX-Request-Id: ${"a".repeat(65)}`,
      `GET /healthz HTTP/1.1\r\nHost: ${evil}`,
      `${"M".repeat(20_000)} /healthz HTTP/1.1\r\nHost: ${host}`,
      `GET /${"a".repeat(9_000)} HTTP/1.1\r\nHost: ${host}`,
    ];
    for (const request of requests) {
      await exchange(latin1(`${request}\r\nConnection: close\r\n\r\n`));
    }
    for (const line of logged()) {
      const text = JSON.stringify(line);
      assert(text.length < 5_000 && !/31m|forged/.test(text), text);
      assertMatch(String(line.request_id), UUID);
      assertEquals(line.level, "info");
    }
  }));

Deno.test("a probe that is answered leaves no line, and one that fails does", async () => {
  const { store } = watchStore({ ping: () => Promise.reject(new Error("gone")) });
  await withApp(async ({ call, lines }) => {
    for (const path of ["/healthz", "/metrics", "/readyz"]) {
      await call(`GET ${path}`, { token: null });
    }
    assertEquals(lines.map(({ route, status }) => [route, status]), [["/readyz", 503]]);
  }, { store });
});

interface Line extends Record<string, unknown> {
  readonly error?: string;
  readonly times?: number;
}

/** A log whose clock stands at `at()`, and the lines that it wrote. */
function logAt(at: () => number): { readonly log: Log; lines(): Promise<Line[]> } {
  let text = "";
  const log = createLog({ level: "info", write: (more) => void (text += more), now: at });
  const lines = async () => {
    await log.flush();
    return text.trimEnd().split("\n").map((line) => JSON.parse(line));
  };
  return { log, lines };
}

function failed(error: unknown): RequestRecord {
  return {
    method: "POST",
    route: "/v2/pages",
    status: 503,
    code: "storage_full",
    duration: 1,
    requestId: "r",
    decision: null,
    missing: [],
    subject: null,
    reason: undefined,
    error,
  };
}

Deno.test("an error that comes again and again is shown once, then counted every minute and at the end", async () => {
  let now = 0;
  const { log, lines } = logAt(() => now);
  // Two errors of one cause, from different places.
  for (let n = 0; n < 300; n++) log.request(failed(new Error("disk is full")));
  log.request(failed(new TypeError("another")));
  now = 60_000;
  log.request(failed(new Error("disk is full")));
  log.request(failed(new Error("disk is full")));
  await log.close();
  const all = await lines();
  const shown = all.filter(({ error, times }) => error !== undefined && times === undefined);
  assertEquals(shown.map(({ error }) => error?.split("\n")[0]), [
    "Error: disk is full",
    "TypeError: another",
  ]);
  const counted = all.filter(({ times }) => times !== undefined);
  assertEquals(counted.map(({ message, times, error }) => [message, times, error]), [
    ["The same error again", 300, "Error: disk is full"],
    ["The same error again", 1, "Error: disk is full"],
  ]);
  assertEquals(all.filter(({ request_id }) => request_id === "r").length, 303);
});

Deno.test("an error that stayed away for a minute is shown in full again", async () => {
  let now = 0;
  const { log, lines } = logAt(() => now);
  log.event("warn", "Vectors cannot be made now");
  now = 60_000;
  log.event("info", "Something else");
  log.event("warn", "Vectors cannot be made now");
  assertEquals((await lines()).map(({ level }) => level), ["warn", "info", "warn"]);
});

Deno.test("what more errors there are than are told apart is counted as one", async () => {
  const { log, lines } = logAt(() => 0);
  for (let n = 0; n < 1_000; n++) log.request(failed(new Error(`error ${n}`)));
  const shown = (await lines()).filter(({ error }) => error !== undefined);
  assertEquals(shown.length, 101);
});

Deno.test("a log whose reader stalls drops lines without waiting, and says how many once it reads again", async () => {
  let text = "";
  let read = () => {};
  const write = (more: string): Promise<void> => {
    text += more;
    return new Promise((resolve) => read = resolve);
  };
  const log = createLog({ level: "info", write, now: () => 0 });
  for (let n = 0; n < 20_000; n++) log.event("info", `Line ${n}, ${"x".repeat(100)}`);
  const flushed = log.flush();
  const { dropped } = log.counts;
  assert(dropped > 5_000 && dropped < 15_000, `${dropped}`);
  while (log.counts.written + dropped < 20_000) {
    read();
    await new Promise((resolve) => setTimeout(resolve));
  }
  await flushed;
  const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(lines.length, 20_000 - dropped + 1);
  assertEquals([lines.at(-1)?.level, lines.at(-1)?.dropped], ["warn", dropped]);
});

Deno.test("a reader that never reads holds up the end of the log for a second at most", async () => {
  const log = createLog({ level: "info", write: () => new Promise<void>(() => {}), now: () => 0 });
  log.event("info", "Stopped");
  await log.close();
  assertEquals(log.counts, { written: 0, dropped: 0 });
});

Deno.test("createLog() writes whole lines, each one JSON, whatever stands in them", () => {
  let text = "";
  const log = createLog({ level: "info", write: (more) => void (text += more), now: () => 0 });
  const nasty = 'a\nb\r\u2028\u0000\x1b[0m"\\\ud800';
  log.event("error", nasty, { nasty });
  log.request({
    method: nasty,
    route: null,

    status: 500,
    code: "internal_server_error",
    duration: 1.23456,
    requestId: "r",
    decision: null,
    missing: [],
    subject: null,
    reason: undefined,
    error: new Error("x".repeat(1_000_000)),
  });
  log.flush();
  const lines = text.split("\n");
  assertEquals([lines.length, lines[2]], [3, ""]);
  const [event, request] = lines.slice(0, 2).map((line) => JSON.parse(line));
  assertEquals([event.message, event.nasty, event.time], [
    nasty,
    nasty,
    "1970-01-01T00:00:00.000Z",
  ]);
  assertEquals([request.method, request.ms, request.level], [nasty, 1.235, "error"]);
  assert(request.error.length < 5_000);
});

Deno.test("X-Request-Id is the client's where it is well formed, and ours where it is not", () =>
  withApp(async ({ call }) => {
    for (const id of ["abc", "A-b_9", "x".repeat(64)]) {
      const answer = await call("GET /v2/users/me", {
        token: null,
        headers: { "x-request-id": id },
      });
      assertEquals([answer.headers.get("x-request-id"), answer.json.request_id], [id, id]);
    }
    for (const id of ["", "a b", "x".repeat(65), "a,b", "é", "a\tb", "../x", '"']) {
      const answer = await call("GET /v2/users/me", {
        token: null,
        headers: { "x-request-id": id },
      });
      assertMatch(answer.headers.get("x-request-id") ?? "", UUID);
      assertEquals(outcome(answer), "401 unauthorized");
    }
  }));
