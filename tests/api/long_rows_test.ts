import { parsePolicy } from "../../src/policy/schema.ts";
import { assert, assertEquals } from "../assert.ts";
import { ALL_SCOPES, type TestApp, withApp } from "../support/app.ts";
import { newDatabase, newRow, titled, valuesOf } from "./database_driver.ts";
import { succeed, text } from "./driver.ts";

/** 200,000 characters, which a response has in several pieces. */
const LONG = { rich_text: Array.from({ length: 100 }, () => text("é".repeat(2_000))).flat() };

interface LongRow {
  readonly databaseId: string;
  /** The reply to its creation. */
  readonly row: Record<string, unknown> & { readonly id: string };
}

/** Creates a row whose people come behind, between and before long texts. */
async function newLongRow(app: TestApp): Promise<LongRow> {
  const { id: user } = await succeed(app, "GET /v2/users/me", {
    token: await app.mint({ sub: "ada", name: "Ada" }),
  });
  const people = { people: [{ id: user }] };
  const { id: databaseId } = await newDatabase(app, {
    First: { people: {} },
    A: { rich_text: {} },
    Second: { people: {} },
    B: { rich_text: {} },
    Third: { people: {} },
  });
  const values = { First: people, A: LONG, Second: people, B: LONG, Third: people };
  const row = await newRow(app, databaseId, { Name: titled("Heron"), ...values });
  return { databaseId, row };
}

Deno.test("a row with long values is sent with its length and tag, and all its people have names", () =>
  withApp(async (app) => {
    const { row } = await newLongRow(app);
    const answer = await app.call(`GET /v2/pages/${row.id}`);
    assertEquals(answer.json, row);
    const bytes = new TextEncoder().encode(answer.text).length;
    assertEquals(answer.headers.get("content-length"), String(bytes));
    const { First, A, Second, B, Third } = valuesOf(answer.json);
    assertEquals([A, B].map((value) => (value as []).length), [100, 100]);
    for (const people of [First, Second, Third]) {
      assertEquals((people as { readonly name: string }[]).map(({ name }) => name), ["Ada"]);
    }
    const etag = answer.headers.get("etag") ?? "";
    const headers = { "if-none-match": etag };
    assertEquals((await app.call(`GET /v2/pages/${row.id}`, { headers })).status, 304);
    const head = await app.call(`HEAD /v2/pages/${row.id}`);
    assertEquals([head.text, head.headers.get("content-length")], ["", String(bytes)]);
    const changed = await app.call(`PATCH /v2/pages/${row.id}`, {
      headers: { "if-match": etag },
      body: { properties: { Name: titled("Egret") } },
    });
    assertEquals(changed.status, 200);
    assertEquals((await app.call(`GET /v2/pages/${row.id}`, { headers })).status, 200);
  }));

Deno.test("queries, searches and /v1 show a row with long values as it is read alone", () =>
  withApp(async (app) => {
    const { databaseId, row } = await newLongRow(app);
    await newRow(app, databaseId, { Name: titled("Short") });
    const query = `POST /v2/databases/${databaseId}/query`;
    const sorts = [{ property: "Name", direction: "ascending" }];
    const { results } = await succeed(app, query, { body: { sorts } });
    assertEquals([results.length, results[0]], [2, row]);
    const found = await succeed(app, "POST /v2/search", {
      body: { query: "Heron", also: [{ query: "Short" }] },
    });
    const { match, ...shown } = found.results[0];
    assert(match !== undefined);
    assertEquals(shown, row);
    assertEquals(found.also[0].results.length, 1);
    const notion = await succeed(app, `GET /v1/pages/${row.id}`, {
      headers: { "notion-version": "2025-09-03" },
    });
    assertEquals(valuesOf(notion).A, valuesOf(row).A);
  }));

Deno.test("a reply with a long row is stored, and repeated for the same Idempotency-Key", () =>
  withApp(async (app) => {
    const { row } = await newLongRow(app);
    const send = () =>
      app.call(`PATCH /v2/pages/${row.id}`, {
        headers: { "idempotency-key": '"one"' },
        body: { properties: { Name: titled("Egret") } },
      });
    const [first, second] = [await send(), await send()];
    assertEquals([first.status, second.headers.get("idempotency-replayed")], [200, "true"]);
    assert(first.text === second.text);
  }));

Deno.test("a long row is sent without hidden fields, too", async () => {
  const { fields, ...others } = JSON.parse(await Deno.readTextFile("policy/scopes.json"));
  const hiding = { ...fields, "page.cover": ["search.read"] };
  const policy = parsePolicy(JSON.stringify({ ...others, fields: hiding }));
  await withApp(async (app) => {
    const { row: { cover, ...shown } } = await newLongRow(app);
    assertEquals(cover, null);
    const token = await app.mint({ scope: ALL_SCOPES.replace(" search.read", "") });
    assertEquals(await succeed(app, `GET /v2/pages/${shown.id}`, { token }), shown);
  }, { policy });
});
