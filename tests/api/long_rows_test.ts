import { lengthIssues } from "../../src/content/pages/rows.ts";
import { LIMITS } from "../../src/content/values/limits.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import type { Store } from "../../src/store/port.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { ALL_SCOPES, type TestApp, withApp } from "../support/app.ts";
import { openStore } from "../support/stores.ts";
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

/** Names of six properties, five of which take as much text as a row does. */
const SIX = ["A", "B", "C", "D", "E", "F"];

/** 195,000 characters. */
const LONGEST = { rich_text: Array.from({ length: 100 }, () => text("x".repeat(1_950))).flat() };

Deno.test("the values of a row together have a limit", () =>
  withApp(async (app) => {
    const { id: databaseId } = await newDatabase(app, {
      ...Object.fromEntries(SIX.map((name) => [name, { rich_text: {} }])),
      Done: { checkbox: {} },
    });
    const five = Object.fromEntries(SIX.slice(0, 5).map((name) => [name, LONGEST]));
    const row = await newRow(app, databaseId, five);
    const route = `PATCH /v2/pages/${row.id}`;
    const grown = await app.call(route, { body: { properties: { F: LONGEST } } });
    const { pointer, detail } = grown.json.errors[0];
    assertEquals([grown.status, pointer], [400, "/properties"]);
    assertMatch(
      detail,
      /^The values of a row can take at most 2097152 characters as JSON, but these take 24\d{5}\./,
    );
    await succeed(app, route, { body: { properties: { Done: { checkbox: true } } } });
    await succeed(app, route, { body: { properties: { E: { rich_text: [] }, F: LONGEST } } });
    const { A, E, F } = valuesOf(await succeed(app, `GET /v2/pages/${row.id}`));
    assertEquals([A, E, F].map((value) => (value as []).length), [100, 0, 100]);
  }));

Deno.test("a row that was longer than the limit before may stay as long, and become shorter", () => {
  const row = { doc: "x".repeat(LIMITS.rowLength + 2) };
  const issuesOf = (before: number) => lengthIssues(row, { pointer: "/properties", before });
  assertEquals(issuesOf(row.doc.length), []);
  assertEquals(issuesOf(row.doc.length + 1), []);
  assertEquals(issuesOf(row.doc.length - 1).length, 1);
});

Deno.test("a request writes a limited number of items into a row", () =>
  withApp(async (app) => {
    const names = Array.from({ length: 101 }, (_, n) => `Text ${n}`);
    const schema = Object.fromEntries(names.map((name) => [name, { rich_text: {} }]));
    const { id: databaseId } = await newDatabase(app, schema);
    const items = Array.from({ length: 100 }, () => text("x")).flat();
    const create = (count: number) => {
      const written = names.slice(0, count).map((name) => [name, { rich_text: items }]);
      const properties = Object.fromEntries(written);
      return app.call("POST /v2/pages", {
        body: { parent: { database_id: databaseId }, properties },
      });
    };
    assertEquals((await create(100)).status, 200);
    const { status, json } = await create(101);
    assertEquals([status, json.errors], [400, [{
      pointer: "/properties",
      detail: "A request can write at most 10000 items of texts and lists into a row, " +
        "but this one has 10100.",
    }]]);
  }));

Deno.test("rows that a relation names are looked up without their documents", async () => {
  const store = await openStore(":memory:");
  const read = new Set<string>();
  const { early } = store;
  const { firstNodes: first } = { ...store, ...early?.reading };
  const firstNodes: Store["firstNodes"] = async (workspace, ids) => {
    const nodes = await first(workspace, ids);
    for (const { id } of nodes) read.add(id);
    return nodes;
  };
  await withApp(async (app) => {
    const { databaseId, row } = await newLongRow(app);
    const trashed = await newRow(app, databaseId);
    await succeed(app, `DELETE /v2/pages/${trashed.id}`);
    const { id } = await newDatabase(app, {
      Birds: { relation: { database_id: databaseId, single_property: {} } },
    });
    const linked = (...ids: string[]) => ({ Birds: { relation: ids.map((id) => ({ id })) } });
    const { id: other } = await newRow(app, id);
    const birds = await newRow(app, id, linked(row.id));
    assertEquals(valuesOf(birds).Birds, [{ id: row.id }]);
    assertEquals(read.has(row.id), false);
    const body = { parent: { database_id: id }, properties: linked(row.id, trashed.id, other, id) };
    const { status, json } = await app.call("POST /v2/pages", { body });
    assertEquals(status, 400);
    assertEquals(
      json.errors.map(({ pointer }: { pointer: string }) => pointer),
      [1, 2, 3].map((index) => `/properties/Birds/relation/${index}/id`),
    );
  }, {
    store: {
      ...store,
      firstNodes,
      ...(early && { early: { ...early, reading: { ...early.reading, firstNodes } } }),
    },
  });
});
