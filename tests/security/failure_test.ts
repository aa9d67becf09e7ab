import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { withApp } from "../support/app.ts";
import { withServer } from "../support/socket.ts";
import { watchStore } from "../support/watched_store.ts";
import { lastRequest, NEW_PAGE, outcome, UNKNOWN } from "./support.ts";

const SECRET = "SECRET at /var/lib/recto.db";

function cyclic(): Error {
  const error = new Error(SECRET);
  error.cause = error;
  return error;
}

const THROWN: Readonly<Record<string, unknown>> = {
  "an error": new Error(SECRET),
  "an error with a cause": new Error("outer", { cause: new Error(SECRET) }),
  "its own cause": cyclic(),
  "a text": SECRET,
  "an object without a prototype": Object.create(null),
  "nothing": undefined,
  "null": null,
};

for (const [what, thrown] of Object.entries(THROWN)) {
  Deno.test(`a handler that throws ${what} is a 500 that tells nothing, and the service goes on`, async () => {
    const { store } = watchStore({ node: () => Promise.reject(thrown) });
    // Over the socket, so that nothing that the test catches is caught for the service.
    await withServer(async ({ exchange, mint, host, logged }) => {
      const fields = [`Host: ${host}`, `Authorization: Bearer ${await mint()}`];
      const [answer] = await exchange(lastRequest(`GET /v2/pages/${UNKNOWN} HTTP/1.1`, fields));
      assert(answer !== undefined);
      assertEquals(outcome(answer), "500 internal_server_error");
      const problem = JSON.parse(answer.text);
      assertEquals(problem.detail, "Unexpected error");
      assertEquals(problem.request_id, answer.headers.get("x-request-id"));
      assertEquals(/SECRET|stack|\.ts/.test(answer.text), false);
      const [line] = logged();
      assertEquals([line?.level, line?.request_id], ["error", problem.request_id]);
      if (what.includes("error") || what.includes("text")) {
        assertMatch(String(line?.error), /SECRET/);
      }
      const next = await exchange(lastRequest("GET /v2/users/me HTTP/1.1", fields));
      assertEquals(next.map(outcome), ["200"]);
    }, { store });
  });
}

Deno.test("a store that throws at once, and not later, is a 500 as well", async () => {
  const { store } = watchStore({
    node: () => {
      throw new Error(SECRET);
    },
  });
  await withServer(async ({ exchange, mint, host }) => {
    const fields = [`Host: ${host}`, `Authorization: Bearer ${await mint()}`];
    const answers = await exchange(lastRequest(`GET /v2/pages/${UNKNOWN} HTTP/1.1`, fields));
    assertEquals(answers.map(outcome), ["500 internal_server_error"]);
  }, { store });
});

Deno.test("a user that cannot be saved fails the request, and is tried again with the next", async () => {
  const working = watchStore();
  let broken = true;
  const { store } = watchStore({
    ...working.store,
    saveUser: (workspace, user) =>
      broken ? Promise.reject(new Error(SECRET)) : working.store.saveUser(workspace, user),
  });
  await withServer(async ({ exchange, mint, host }) => {
    const fields = [`Host: ${host}`, `Authorization: Bearer ${await mint()}`];
    const raw = lastRequest("GET /v2/users/me HTTP/1.1", fields);
    assertEquals((await exchange(raw)).map(outcome), ["500 internal_server_error"]);
    broken = false;
    assertEquals((await exchange(raw)).map(outcome), ["200"]);
  }, { store });
});

Deno.test("a write whose commit fails has written nothing", async () => {
  const working = watchStore();
  let commits = 0;
  const { store } = watchStore({
    ...working.store,
    commit: () => {
      commits++;
      return Promise.reject(new Error(SECRET));
    },
  });
  await withServer(async ({ exchange, mint, host }) => {
    const body = JSON.stringify(NEW_PAGE);
    const fields = [
      `Host: ${host}`,
      `Authorization: Bearer ${await mint()}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ];
    const answers = await exchange(lastRequest("POST /v2/pages HTTP/1.1", fields, body));
    assertEquals([answers.map(outcome), commits], [["500 internal_server_error"], 1]);
  }, { store });
});

Deno.test("a request that takes longer than its time is a 504, and the service goes on", async () => {
  const { promise: never, resolve } = Promise.withResolvers<undefined>();
  const { store } = watchStore({ node: () => never });
  await withApp(async ({ call, lines }) => {
    const answer = await call(`GET /v2/pages/${UNKNOWN}`);
    assertEquals(outcome(answer), "504 gateway_timeout");
    assertEquals(answer.json.request_id, answer.headers.get("x-request-id"));
    assertEquals((await call("GET /v2/users/me")).status, 200);
    assertEquals(lines.map(({ status }) => status), [504, 200]);
    resolve(undefined);
  }, { store, limits: { requestTime: 500 } });
});

Deno.test("Markdown is no longer read for a request whose time is over", async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { store: watched, calls } = watchStore();
  const store: typeof watched = {
    ...watched,
    content: async (...page) => {
      await gate;
      return await watched.content(...page);
    },
  };
  await withApp(async ({ call }) => {
    const { json: { id } } = await call("POST /v2/pages", { body: NEW_PAGE });
    const children = Array.from({ length: 100 }, () => ({ divider: {} }));
    for (let n = 0; n < 2; n++) {
      assertEquals(
        (await call(`PATCH /v2/blocks/${id}/children`, { body: { children } })).status,
        200,
      );
    }
    assertEquals(
      outcome(await call(`GET /v2/pages/${id}/content/markdown`)),
      "504 gateway_timeout",
    );
    calls.length = 0;
    open();
    for (let n = 0; n < 5; n++) assertEquals((await call("GET /v2/users/me")).status, 200);
    assertEquals(calls.filter((name) => name !== "users"), ["content"]);
  }, { store, limits: { requestTime: 3_000 } });
});

Deno.test("a write that has begun outlasts the time of its request, and tells its outcome", async () => {
  const { promise: never, resolve: answer } = Promise.withResolvers<undefined>();
  const { promise: committed, resolve: commit } = Promise.withResolvers<"committed">();
  const { store } = watchStore({ node: () => never, commit: () => committed });
  await withApp(async ({ call }) => {
    const write = call("POST /v2/pages", { body: NEW_PAGE });
    // It came later, so the time of the write is over too.
    assertEquals(outcome(await call(`GET /v2/pages/${UNKNOWN}`)), "504 gateway_timeout");
    commit("committed");
    assertEquals((await write).status, 200);
    answer(undefined);
  }, { store, limits: { requestTime: 500 } });
});

Deno.test("a client that leaves before the answer disturbs nobody", async () => {
  const gate = Promise.withResolvers<undefined>();
  const reached = Promise.withResolvers<void>();
  const { store } = watchStore({
    node: () => {
      reached.resolve();
      return gate.promise;
    },
  });
  await withServer(async ({ connect, exchange, mint, host, stop, logged }) => {
    const fields = [`Host: ${host}`, `Authorization: Bearer ${await mint()}`];
    const connection = await connect();
    await connection.write(lastRequest(`GET /v2/pages/${UNKNOWN} HTTP/1.1`, fields));
    await reached.promise;
    connection.close();
    gate.resolve(undefined);
    assertEquals(
      (await exchange(lastRequest("GET /v2/users/me HTTP/1.1", fields))).map(outcome),
      ["200"],
    );
    await stop();
    assertEquals(logged().map(({ status }) => status).sort(), [200, 404]);
  }, { store });
});

Deno.test("a database that is out of reach makes the service not ready, and tells why in the log alone", async () => {
  const { store } = watchStore({ ping: () => Promise.reject(new Error(SECRET)) });
  await withApp(async ({ call, log, lines }) => {
    const answer = await call("GET /readyz", { token: null });
    assertEquals(outcome(answer), "503 service_unavailable");
    log.flush();
    assertStringIncludes(String(lines[0]?.error), `caused by: Error: ${SECRET}`);
    assertEquals(answer.json.detail, "Not ready: the database is unreachable");
    assertEquals(answer.headers.get("retry-after"), "1");
    assertEquals(answer.headers.get("cache-control"), "no-store");
    assertEquals((await call("GET /healthz", { token: null })).status, 200);
  }, { store });
});
