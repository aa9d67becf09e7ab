import { MOST_COUNTED } from "../../src/api/search/counts.ts";
import type { NodeView } from "../../src/content/schema/node.ts";
import type { Store } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";
import { insert } from "../store/samples.ts";
import { type Answer, withApp } from "../support/app.ts";
import { newDatabase, newRow, titled } from "./database_driver.ts";
import { newPage, paragraph, refusal, succeed } from "./driver.ts";
import { type Aviary, aviaryClock, fillAviary, idsIn, searched } from "./search_driver.ts";

function withAviary(test: (aviary: Aviary) => Promise<void>): Promise<void> {
  const clock = aviaryClock();
  return withApp(async (app) => await test(await fillAviary(app, clock)), { now: clock.now });
}

function countsIn({ facets }: Answer["json"]): unknown {
  return facets.map(({ property, options, empty, relation }: Answer["json"]) => ({
    property,
    options: options.map(({ name, count }: Answer["json"]) => `${name} ${count}`).join(),
    empty,
    relation,
  }));
}

Deno.test("the total counts the results on all pages, if it is asked for", () =>
  withAviary(async ({ app, database }) => {
    const total = async (body: object) =>
      (await searched(app, { ...body, total: true, page_size: 1 })).total;
    const exact = (value: number) => ({ value, relation: "exact" });
    assertEquals((await searched(app, { query: "owl" })).total, undefined);
    assertEquals(await total({ query: "owl" }), exact(7));
    assertEquals(await total({ query: "owl night", words: "any" }), exact(7));
    assertEquals(await total({ query: "owl -night" }), exact(6));
    assertEquals(await total({ query: "ow" }), exact(7));
    assertEquals(await total({ query: "owls" }), exact(7));
    assertEquals(await total({ query: "penguin" }), exact(0));
    assertEquals(await total({ query: "!" }), exact(0));
    assertEquals(await total({}), exact(9));
    assertEquals(await total({ filter: { property: "object", value: "page" } }), exact(8));
    assertEquals(await total({ filter: { property: "parent", value: database } }), exact(4));
    const sort = { timestamp: "created_time", direction: "ascending" };
    assertEquals(await total({ query: "owl", sort }), exact(7));
    assertEquals(await total({ query: "owwl gull" }), exact(8));
  }));

Deno.test("a page that is moved to the trash is neither found nor counted any more", () =>
  withAviary(async ({ app, id, database, names }) => {
    await succeed(app, `DELETE /v2/pages/${id.c}`);
    const filter = { database_id: database, filter: { property: "Count", number: { equals: 3 } } };
    assertEquals(await names({ filter }), []);
    assertEquals(await names({ query: "owl", filter }), []);
    const facets = [{ database_id: database, property: "State" }];
    const list = await searched(app, { query: "owl", total: true, facets });
    assertEquals(list.total, { value: 6, relation: "exact" });
    assertEquals(countsIn(list), [
      { property: "State", options: "open 1,shut 1", empty: 1, relation: "exact" },
    ]);
  }));

Deno.test("facets count the options of the results, the most common first", () =>
  withAviary(async ({ app, database, users }) => {
    const facets = [
      { database_id: database, property: "State" },
      { database_id: database, property: "Tags" },
    ];
    assertEquals(countsIn(await searched(app, { query: "owl", facets, page_size: 1 })), [
      { property: "State", options: "open 2,shut 1", empty: 1, relation: "exact" },
      { property: "Tags", options: "old 2,tall 1", empty: 2, relation: "exact" },
    ]);
    const filter = { property: "created_by", value: users.bob };
    assertEquals(countsIn(await searched(app, { facets, filter })), [
      { property: "State", options: "open 1", empty: 1, relation: "exact" },
      { property: "Tags", options: "tall 1,old 1", empty: 1, relation: "exact" },
    ]);
    assertEquals(countsIn(await searched(app, { query: "gull", facets })), [
      { property: "State", options: "", empty: 0, relation: "exact" },
      { property: "Tags", options: "", empty: 0, relation: "exact" },
    ]);
    const [{ options, database_id }] = (await searched(app, { facets })).facets;
    assertEquals([database_id, options[0].name, options[0].count], [database, "open", 2]);
  }));

Deno.test("options that were removed from a property are counted as empty", () =>
  withAviary(async ({ app, database }) => {
    const { properties } = await succeed(app, `GET /v2/databases/${database}`);
    const options = properties.State.select.options
      .filter(({ name }: { readonly name: string }) => name !== "open");
    await succeed(app, `PATCH /v2/databases/${database}`, {
      body: { properties: { State: { select: { options } } } },
    });
    const facets = [{ database_id: database, property: "State" }];
    assertEquals(countsIn(await searched(app, { facets })), [
      { property: "State", options: "shut 1", empty: 3, relation: "exact" },
    ]);
  }));

Deno.test("a facet of another kind of property is refused", () =>
  withAviary(async ({ app, database }) => {
    const facets = ["Count", "Nothing"].map((property) => ({ database_id: database, property }));
    const answer = await app.call("POST /v2/search", { body: { facets } });
    assertEquals(refusal(answer), [400, "validation_error"]);
    assertEquals(
      answer.json.errors.map(({ pointer }: { readonly pointer: string }) => pointer),
      ["/facets/0/property", "/facets/1/property"],
    );
  }));

Deno.test("each of several searches is answered as if it were sent alone", () =>
  withAviary(async ({ app, users }) => {
    const questions = [
      { query: "owl", page_size: 2, total: true },
      { query: "gulll" },
      { filter: { property: "created_by", value: users.ann }, page_size: 3 },
      { query: "night owl -b", words: "any" },
    ];
    const [first, ...also] = questions;
    const list = await searched(app, { ...first, also });
    const { also: others, ...own } = list;
    const cursors: unknown[] = [];
    for (const [index, question] of questions.entries()) {
      const alone = await searched(app, question);
      const together = [own, ...others][index];
      const bare = { request_id: "", next_cursor: "" };
      assertEquals({ ...together, ...bare }, { ...alone, ...bare });
      cursors.push(together.next_cursor);
      assertEquals(together.next_cursor === null, alone.next_cursor === null);
    }
    const next = await searched(app, { ...first, start_cursor: cursors[0] });
    assertEquals(idsIn(next).length, 2);
    assertEquals((await searched(app, { also: [] })).also, undefined);
    const tooMany = Array.from({ length: 10 }, () => ({}));
    const answer = await app.call("POST /v2/search", { body: { also: tooMany } });
    assertEquals(refusal(answer), [400, "validation_error"]);
    const nested = await app.call("POST /v2/search", { body: { also: [{ also: [] }] } });
    assertEquals(refusal(nested), [400, "validation_error"]);
  }));

Deno.test("a total and facets of more results than are counted say so", () =>
  withApp(async (app) => {
    const { id: database } = await newDatabase(app, { State: { select: { options: [OPEN] } } });
    const row = await newRow(app, database, {
      Name: titled("owl"),
      State: { select: { name: OPEN.name } },
    });
    const [node] = await app.store.firstNodes(WORKSPACE, [row.id]);
    assert(node !== undefined);
    const facets = [{ database_id: database, property: "State" }];
    const counts = async (members: object = {}) => {
      const body = { query: "owl", total: true, facets, page_size: 1, ...members };
      const { total, facets: [facet] } = await searched(app, body);
      return { total, option: facet.options[0].count, relation: facet.relation };
    };
    await copyRow(app.store, node, MOST_COUNTED - 1);
    const exact = { value: MOST_COUNTED, relation: "exact" };
    const all = { total: exact, option: MOST_COUNTED, relation: "exact" };
    assertEquals(await counts(), all);
    await copyRow(app.store, node, 1);
    for (const members of [{}, { words: "any" }, { query: "" }]) {
      const { total, relation } = await counts(members);
      assertEquals(total, { value: MOST_COUNTED, relation: "at_least" });
      assertEquals(relation, "at_least");
    }
  }));

/** The workspace of tokens without one. */
const WORKSPACE = "default";
const OPEN = { name: "open" };

/** Adds so many rows like this one. */
async function copyRow(
  store: Pick<Store, "commit">,
  { hasChildren: _, ...row }: NodeView,
  count: number,
): Promise<void> {
  for (let left = count; left > 0; left -= STEP) {
    const rows = Array.from({ length: Math.min(STEP, left) }, () => {
      const id = crypto.randomUUID();
      return { ...row, id, position: `z${id}` };
    });
    assertEquals(await store.commit(WORKSPACE, insert(...rows)), "committed");
  }
}

/** Rows of one commit. */
const STEP = 500;

Deno.test("a total of results with a score has the same results as the list", () =>
  withApp(async (app) => {
    const texts = ["the moves of the game", "they are moving", "a movie about the game", "moved"];
    for (const text of texts) await newPage(app, { children: [paragraph(text)] });
    const body = { query: "moves", total: true };
    const { results, total } = await searched(app, { ...body, min_score: 0 });
    assertEquals([results.length, total], [3, { value: 3, relation: "exact" }]);
    for (const { match: { score } } of results) {
      const list = await searched(app, { ...body, min_score: score });
      assertEquals(list.total, { value: list.results.length, relation: "exact" });
      assert(idsIn(list).length > 0);
    }
  }));
