import { endpoints } from "../../src/api/endpoints.ts";
import { assert, assertEquals, assertNotEquals } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import { createPage, NEW_PAGE, outcome, UNKNOWN } from "./support.ts";

/** The bodies of a route that names an object. */
const BODIES: Readonly<Record<string, object>> = {
  "PATCH /v2/pages/:page_id": { icon: null },
  "PATCH /v2/blocks/:block_id": { in_trash: true },
  "PATCH /v2/blocks/:block_id/children": { children: [{ divider: {} }] },
  "PATCH /v2/databases/:database_id": { title: [] },
  "POST /v2/databases/:database_id/query": {},
};

// What is open to everyone takes no token, so it knows no stranger.
const withId = endpoints.filter(({ operational }) => !operational).map(({ method, path }) =>
  `${method} ${path}`
)
  .filter((route) => route.includes(":"));

interface Seen {
  readonly status: number;
  readonly text: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** The answer with the id that was asked for taken out of it. */
function seen({ status, text, headers }: Answer, id: string): Seen {
  return {
    status,
    text: text.replaceAll(id, "ID"),
    headers: [...headers].filter(([name]) => !name.startsWith("ratelimit")),
  };
}

async function ask(
  app: TestApp,
  route: string,
  { id, token }: { id: string; token: string },
): Promise<Seen> {
  const url = route.replace(/:\w+/, id).replace(/:\w+/, "title");
  const headers = { "x-request-id": "same" };
  return seen(await app.call(url, { token, headers, body: BODIES[route] }), id);
}

Deno.test("an object of another workspace is answered as one that nobody ever made", () =>
  withApp(async (app) => {
    const page = await createPage(app, { body: { children: [{ divider: {} }] } });
    const [block] = (await app.call(`GET /v2/blocks/${page}/children`)).json.results;
    const { json: me } = await app.call("GET /v2/users/me");
    const before = (await app.call(`GET /v2/pages/${page}`)).headers.get("etag");
    const token = await app.mint({ workspace: "other", sub: "stranger" });
    for (const route of withId) {
      const unknown = await ask(app, route, { id: UNKNOWN, token });
      // 501 stands for what is still to be built.
      assert([404, 501].includes(unknown.status), `${route}: ${unknown.status} ${unknown.text}`);
      for (const id of [page, block.id, me.id]) {
        assertEquals(await ask(app, route, { id, token }), unknown, route);
      }
    }
    assertEquals((await app.call(`GET /v2/pages/${page}`)).headers.get("etag"), before);
  }));

Deno.test("an id of the wrong kind is answered as an unknown one", () =>
  withApp(async (app) => {
    const page = await createPage(app, { body: { children: [{ divider: {} }] } });
    const [block] = (await app.call(`GET /v2/blocks/${page}/children`)).json.results;
    const { json: me } = await app.call("GET /v2/users/me");
    const token = await app.mint();
    for (const route of withId.filter((name) => /pages|users/.test(name))) {
      const unknown = await ask(app, route, { id: UNKNOWN, token });
      const others = route.includes("users") ? [page, block.id] : [block.id, me.id];
      for (const id of others) assertEquals(await ask(app, route, { id, token }), unknown, route);
    }
  }));

Deno.test("a page cannot be made in a page of another workspace", () =>
  withApp(async (app) => {
    const page = await createPage(app);
    const token = await app.mint({ workspace: "other" });
    const make = async (id: string) =>
      seen(
        await app.call("POST /v2/pages", {
          token,
          headers: { "x-request-id": "same" },
          body: { parent: { page_id: id }, properties: {} },
        }),
        id,
      );
    const refused = await make(page);
    assertEquals(refused.status, 404);
    assertEquals(refused, await make(UNKNOWN));
    assertEquals((await app.call(`GET /v2/blocks/${page}/children`)).json.results, []);
  }));

Deno.test("a mention of another workspace's page or user tells nothing of it", () =>
  withApp(async (app) => {
    const secret = await createPage(app, {
      body: { properties: { title: [{ text: { content: "SECRET" } }] } },
    });
    const owner = await app.mint({ name: "SECRET NAME" });
    const { json: me } = await app.call("GET /v2/users/me", { token: owner });
    const token = await app.mint({ workspace: "other", sub: "stranger" });
    const title = [{ mention: { page: { id: secret } } }, { mention: { user: { id: me.id } } }];
    const made = await app.call("POST /v2/pages", {
      token,
      body: { ...NEW_PAGE, properties: { title } },
    });
    assertEquals(made.text.includes("SECRET"), false, made.text);
  }));

Deno.test("a kept answer is never given to another caller, workspace or route", () =>
  withApp(async (app) => {
    const headers = { "idempotency-key": '"one"' };
    const post = async (options: Parameters<typeof app.mint>[0] = {}) =>
      await app.call("POST /v2/pages", { token: await app.mint(options), headers, body: NEW_PAGE });
    const first = await post();
    const again = await post();
    assertEquals([again.text, again.headers.get("idempotency-replayed")], [first.text, "true"]);
    for (const other of [{ sub: "bob" }, { workspace: "other" }]) {
      const answer = await post(other);
      assertEquals([answer.status, answer.headers.get("idempotency-replayed")], [200, null]);
      assertNotEquals(answer.json.id, first.json.id);
    }
    const weak = await post({ scope: "pages.read" });
    assertEquals(outcome(weak), "403 forbidden");
    const patch = await app.call(`PATCH /v2/pages/${first.json.id}`, {
      headers,
      body: { icon: null },
    });
    assertEquals([patch.status, patch.headers.get("idempotency-replayed")], [200, null]);
    const reused = await app.call("POST /v2/pages", { headers, body: { ...NEW_PAGE, icon: null } });
    assertEquals(outcome(reused), "422 idempotency_key_reused");
  }));

Deno.test("another workspace's entity tag is worth nothing", () =>
  withApp(async (app) => {
    const page = await createPage(app);
    const etag = (await app.call(`GET /v2/pages/${page}`)).headers.get("etag") ?? "";
    const token = await app.mint({ workspace: "other" });
    for (
      const headers of [{ "if-none-match": etag }, { "if-none-match": "*" }, { "if-match": etag }]
    ) {
      const answer = await app.call(`GET /v2/pages/${page}`, { token, headers });
      assertEquals(outcome(answer), "404 object_not_found");
      assertEquals(answer.headers.get("etag"), null);
    }
  }));

Deno.test("one caller's empty bucket is no other's", () =>
  withApp(async (app) => {
    const call = async (options: Parameters<typeof app.mint>[0], headers = {}) =>
      (await app.call("GET /v2/users/me", { token: await app.mint(options), headers })).status;
    const spoofed = { "x-forwarded-for": "203.0.113.9", forwarded: "for=203.0.113.9" };
    const many = await Promise.all(Array.from({ length: 25 }, () => call({}, spoofed)));
    assert(many.includes(429));
    // Another token of the same caller shares the bucket.
    assert(
      (await Promise.all([1, 2, 3, 4, 5, 6].map(() => call({ scope: "users.read" })))).includes(
        429,
      ),
    );
    assertEquals(await call({ sub: "bob" }), 200);
    assertEquals(await call({ workspace: "other" }), 200);
  }, { environment: { RECTO_RATE_LIMIT: "1/s" } }));
