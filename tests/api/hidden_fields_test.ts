import { createHash } from "node:crypto";
import { parsePolicy, type Policy } from "../../src/policy/schema.ts";
import { assert, assertEquals, assertMatch, assertNotEquals } from "../assert.ts";
import { ALL_SCOPES, type Answer, ORIGIN, type TestApp, withApp } from "../support/app.ts";
import { newDatabase } from "./database_driver.ts";
import { append, appendOne, newPage, paragraph, refusal, succeed, text, toggle } from "./driver.ts";

const HIDDEN = ["page.cover", "block.created_by", "database.icon", "page_markdown.truncated"];

const { fields, ...rest } = JSON.parse(await Deno.readTextFile("policy/scopes.json"));

/** The service's policy, with these fields restricted to callers that may search. */
function policyHiding(names: readonly string[]): Policy {
  const hiding = Object.fromEntries(names.map((name) => [name, ["search.read"]]));
  return parsePolicy(JSON.stringify({ ...rest, fields: { ...fields, ...hiding } }));
}

/** Runs a test with a token that sees less than the one that calls are made with. */
function withLean(
  test: (app: TestApp, lean: string) => Promise<void>,
  hidden: readonly string[] = HIDDEN,
): Promise<void> {
  const scope = ALL_SCOPES.replace(" search.read", "");
  return withApp(async (app) => test(app, await app.mint({ scope })), {
    policy: policyHiding(hidden),
  });
}

/** A page, a block, a database and a page's Markdown. */
async function pathsOf(app: TestApp): Promise<string[]> {
  const page = await newPage(app);
  const { id: block } = await appendOne(app, page, toggle("x"));
  const { id: database } = await newDatabase(app);
  return [
    `/v2/pages/${page}`,
    `/v2/blocks/${block}`,
    `/v2/databases/${database}`,
    `/v2/pages/${page}/content/markdown`,
  ];
}

function tagOf({ headers }: Answer): string {
  return headers.get("etag") ?? "";
}

/** Returns a page with more than a megabyte of text, whose characters take two code units each. */
async function longPage(app: TestApp): Promise<string> {
  const rich_text = Array.from({ length: 100 }, () => text("😀".repeat(1_000))).flat();
  const page = await newPage(app);
  for (let n = 0; n < 6; n++) {
    await append(app, page, { children: [{ paragraph: { rich_text } }] });
  }
  return page;
}

Deno.test("a long text is sent without hidden fields, too", () =>
  withLean(async (app, lean) => {
    const path = `GET /v2/pages/${await longPage(app)}/content/markdown`;
    const { text: whole, json: { truncated, ...shown } } = await app.call(path);
    assert(whole.length > 2 ** 20 && truncated === false);
    const part = await app.call(path, { token: lean });
    assertEquals([part.status, Object.keys(part.json)], [200, Object.keys(shown)]);
    assert(part.json.markdown === shown.markdown);
  }));

Deno.test("Markdown is sent as it is printed if the hidden fields are those of other objects", () =>
  withApp(async (app) => {
    const url = `${ORIGIN}/v2/pages/${await longPage(app)}/content/markdown`;
    const piecesFor = async (scope: string) => {
      const headers = { authorization: `Bearer ${await app.mint({ scope })}` };
      const { status, body } = await app.app.handler(new Request(url, { headers }));
      assertEquals(status, 200);
      return (await Array.fromAsync(body ?? [])).map(({ length }) => length);
    };
    const lean = ALL_SCOPES.replace(" users.email.read", "");
    assertEquals(await piecesFor(lean), await piecesFor(ALL_SCOPES));
  }));

Deno.test("Markdown alone is not sent to a caller that may not see it", () =>
  withLean(async (app, lean) => {
    const route = `GET /v2/pages/${await newPage(app)}/content/markdown`;
    const headers = { accept: "text/markdown" };
    const refused = await app.call(route, { headers, token: lean });
    assertEquals(refusal(refused), [403, "forbidden"]);
    assertEquals((await app.call(route, { headers })).status, 200);
    assertEquals(Object.keys((await app.call(route, { token: lean })).json), [
      ...["object", "id", "truncated", "unknown_block_ids"],
    ]);
  }, ["page_markdown.markdown"]));

Deno.test("a text of Markdown that looks like a hidden field stays", () =>
  withLean(async (app, lean) => {
    const page = await newPage(app);
    const lines = ['{"object":"page_markdown","truncated":1}', 'x,"object":"page_markdown"'];
    const code = { rich_text: text(lines.join("\n")), language: "json" };
    await append(app, page, { children: [{ code }] });
    const headers = { accept: "text/markdown" };
    const route = `GET /v2/pages/${page}/content/markdown`;
    const [part, whole] = [
      await app.call(route, { headers, token: lean }),
      await app.call(route, { headers }),
    ];
    assertEquals([part.status, part.text], [200, whole.text]);
  }));

Deno.test("a reply with hidden fields has its own entity tag, which works for a 304", () =>
  withLean(async (app, lean) => {
    for (const path of await pathsOf(app)) {
      const whole = await app.call(`GET ${path}`);
      const part = await app.call(`GET ${path}`, { token: lean });
      assertNotEquals(Object.keys(part.json), Object.keys(whole.json), path);
      assertMatch(tagOf(part), /^"[\w.-]+"$/);
      assertNotEquals(tagOf(part), tagOf(whole));
      for (const method of ["GET", "HEAD"]) {
        const statusOf = async (held: Answer, token: string) => {
          const headers = { "if-none-match": tagOf(held) };
          return (await app.call(`${method} ${path}`, { token, headers })).status;
        };
        const full = await app.mint();
        assertEquals(await statusOf(part, lean), 304, path);
        assertEquals(await statusOf(part, full), 200, path);
        assertEquals(await statusOf(whole, full), 304, path);
        assertEquals(await statusOf(whole, lean), 200, path);
      }
    }
  }));

async function checkWrites(app: TestApp, lean: string): Promise<void> {
  const [page = "", block = ""] = await pathsOf(app);
  const seen = async (path: string) => tagOf(await app.call(`GET ${path}`, { token: lean }));
  const writes: [read: string, route: string, body?: object][] = [
    [page, `PATCH ${page}`, { properties: { title: text("new") } }],
    [page, `PATCH ${page.replace("pages", "blocks")}/children`, { children: [paragraph("x")] }],
    [block, `PATCH ${block}`, { toggle: { color: "red" } }],
    [block, `DELETE ${block}`],
    [page, `DELETE ${page}`],
  ];
  for (const [read, route, body] of writes) {
    const tag = await seen(read);
    const send = (headers: Readonly<Record<string, string>>) =>
      app.call(route, { token: lean, body, headers });
    assertEquals(refusal(await send({ "if-match": '"other"' })), [412, "precondition_failed"]);
    assertEquals(refusal(await send({ "if-none-match": tag })), [412, "precondition_failed"]);
    const written = await send({ "if-match": tag });
    assertEquals(written.status, 200, `${route}: ${written.text}`);
    if (!route.endsWith("/children")) assertEquals(tagOf(written), await seen(read), route);
  }
}

Deno.test("a caller that sees part of an object writes with the tag of that part", () =>
  withLean(checkWrites));

Deno.test("a caller that sees part of a page can use its tag on routes that return no page", () =>
  withLean(checkWrites, ["page.cover"]));

Deno.test("a 412 has the tag that the caller would read", () =>
  withLean(async (app, lean) => {
    const [page = ""] = await pathsOf(app);
    for (const token of [lean, await app.mint()]) {
      const headers = { "if-match": '"other"' };
      const refused = await app.call(`PATCH ${page}`, { token, body: {}, headers });
      assertEquals(refused.status, 412);
      assertEquals(tagOf(refused), tagOf(await app.call(`GET ${page}`, { token })));
    }
  }));

Deno.test("a cached reply is replayed with the fields and the tag of the new caller", () =>
  withLean(async (app, lean) => {
    const [page = ""] = await pathsOf(app);
    const write = async (token: string) => {
      const headers = { "idempotency-key": "k" };
      const body = { properties: { title: text("new") } };
      const answer = await app.call(`PATCH ${page}`, { token, body, headers });
      assertEquals(answer.status, 200, answer.text);
      return answer;
    };
    const full = await app.mint();
    const first = await write(lean);
    assertNotEquals(tagOf(first), tagOf(await app.call(`GET ${page}`)));
    for (const token of [lean, full]) {
      const again = await write(token);
      const read = await app.call(`GET ${page}`, { token });
      assertEquals(again.headers.get("idempotency-replayed"), "true");
      assertEquals([tagOf(again), again.json], [tagOf(read), read.json]);
      assertEquals(tagOf(again) === tagOf(first), token === lean);
    }
  }));

/** Mentions a user in a page, a block, a database and a row, and returns their paths. */
async function pathsOfMentions(app: TestApp, user: string): Promise<string[]> {
  const mention = [{ type: "mention", mention: { user: { id: user } } }];
  const create = async (body: object) => (await succeed(app, "POST /v2/pages", { body })).id;
  const page = await create({ parent: { workspace: true }, properties: { title: mention } });
  const { id: block } = await appendOne(app, page, { paragraph: { rich_text: mention } });
  const { id: database } = await newDatabase(app, { Who: { people: {} } }, { title: mention });
  const parent = { database_id: database };
  const row = await create({ parent, properties: { Who: { people: [{ id: user }] } } });
  return [
    ...[`/v2/pages/${page}`, `/v2/blocks/${block}`, `/v2/databases/${database}`],
    `/v2/pages/${row}`,
  ];
}

Deno.test("no entity tag lets a caller test guesses of an address that it may not see", () =>
  withApp(async (app) => {
    const email = "ada@secret.example";
    const ada = await app.mint({ email });
    const { json: { id: user } } = await app.call("GET /v2/users/me", { token: ada });
    const token = await app.mint({ scope: ALL_SCOPES.replace(" users.email.read", "") });
    for (const path of await pathsOfMentions(app, user)) {
      const part = await app.call(`GET ${path}`, { token });
      const guess = part.text.replaceAll('"person":{}', `"person":{"email":"${email}"}`);
      assertEquals(guess, (await app.call(`GET ${path}`)).text, path);
      assert(guess.includes(email), path);
      const hash = createHash("sha256").update(guess).digest("base64url");
      assert(!tagOf(part).includes(hash.slice(0, 8)), path);
      const headers = { "if-match": `"${hash.slice(0, 22)}"` };
      assertEquals((await app.call(`PATCH ${path}`, { token, headers, body: {} })).status, 412);
    }
  }));

Deno.test("a cached reply with names is not replayed to a token that may not see them", () =>
  withApp(async (app) => {
    const token = await app.mint({ name: "Ada Lind" });
    const { json: { id: user } } = await app.call("GET /v2/users/me", { token });
    const lean = await app.mint({ scope: "blocks.write" });
    const rich_text = [{ type: "mention", mention: { user: { id: user } } }];
    const body = { children: [{ paragraph: { rich_text } }] };
    const route = `PATCH /v2/blocks/${await newPage(app)}/children`;
    const write = (key: string, sent: string) =>
      app.call(route, { token: sent, body, headers: { "idempotency-key": key } });
    assert((await write("named", token)).text.includes("Ada Lind"));
    assertEquals(refusal(await write("named", lean)), [422, "idempotency_key_reused"]);
    const nameless = await write("nameless", lean);
    assertEquals([nameless.status, nameless.text.includes("Ada Lind")], [200, false]);
    const again = await write("nameless", lean);
    assertEquals([again.headers.get("idempotency-replayed"), again.text], ["true", nameless.text]);
  }));
