/**
 * Reads of rows while others change the types of their properties: each answer shows rows and schema of
 * one moment.
 *
 * @module
 */
import type { Store } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import { openStore } from "../support/stores.ts";
import { newDatabase, newRow, titled } from "./database_driver.ts";
import { succeed, text } from "./driver.ts";

type Reads = Pick<Store, "listRows" | "rows" | "node" | "firstNodes" | "links" | "findWords">;

/** Edits that are made before or after the next reads of rows. */
interface Race {
  read: keyof Reads;
  when: "before" | "after";
  /** How often the edit is made. */
  left: number;
  edit: () => Promise<unknown>;
}

/** Runs a test on a store that makes edits between reads. */
async function withRaces(
  test: (app: TestApp, race: (next: Race) => void) => Promise<void>,
): Promise<void> {
  const store = await openStore(":memory:");
  let race: Race | undefined;
  const running = new Set<Race>();
  const edit = async (read: keyof Reads, when: Race["when"]) => {
    const now = race;
    if (now?.read !== read || now.when !== when || now.left === 0 || running.has(now)) return;
    now.left--;
    running.add(now);
    await now.edit();
    running.delete(now);
  };
  const racing = <Args extends readonly unknown[], T>(
    name: keyof Reads,
    read: (...args: Args) => Promise<T>,
  ) =>
  async (...args: Args): Promise<T> => {
    await edit(name, "before");
    const found = await read(...args);
    await edit(name, "after");
    return found;
  };
  const readsOf = (reads: Reads): Reads => ({
    listRows: racing("listRows", reads.listRows),
    rows: racing("rows", reads.rows),
    node: racing("node", reads.node),
    firstNodes: racing("firstNodes", reads.firstNodes),
    links: racing("links", reads.links),
    findWords: racing("findWords", reads.findWords),
  });
  const { early } = store;
  const reads = readsOf({ ...store, ...early?.reading });
  const slow: Store = {
    ...store,
    ...reads,
    ...(early && { early: { ...early, reading: { ...early.reading, ...reads } } }),
  };
  await withApp((app) => test(app, (next) => race = next), { store: slow });
  assertEquals(race?.left, 0, "The edits were made");
}

const TEXT = { rich_text: {} };
const NUMBER = { number: {} };

/** A database with one row, whose value `A` is 12, and a function that changes the type of `A`. */
async function makeRow(app: TestApp) {
  const { id } = await newDatabase(app, { A: NUMBER });
  const row = await newRow(app, id, { Name: titled("swallow"), A: { number: 12 } });
  let isNumber = true;
  const change = async () => {
    isNumber = !isNumber;
    const properties = { A: isNumber ? NUMBER : TEXT };
    await succeed(app, `PATCH /v2/databases/${id}`, { body: { properties } });
    // Others have read the new schema by the time that it is asked for.
    await succeed(app, `POST /v2/databases/${id}/query`, { body: { page_size: 1 } });
  };
  return { databaseId: String(id), rowId: String(row.id), change };
}

function shownIn({ A }: Answer["json"]): unknown {
  return A.type === "number"
    ? A.number
    : A.rich_text.map(({ plain_text }: Answer["json"]) => plain_text);
}

const query = (id: string) => `POST /v2/databases/${id}/query`;

Deno.test("a query shows rows by the schema that they fit if it is changed in between", () =>
  withRaces(async (app, race) => {
    const { databaseId, change } = await makeRow(app);
    const sorts = [{ property: "Name", direction: "ascending" }];
    for (const [index, body] of [{}, { sorts }].entries()) {
      race({ read: "listRows", when: "before", left: 1, edit: change });
      const { results: [row] } = await succeed(app, query(databaseId), { body });
      assertEquals(shownIn(row.properties), index === 0 ? ["12"] : 12);
    }
  }));

Deno.test("a query of some properties does so as well", () =>
  withRaces(async (app, race) => {
    const { databaseId, change } = await makeRow(app);
    race({ read: "listRows", when: "before", left: 1, edit: change });
    const route = `${query(databaseId)}?filter_properties=A`;
    const { results: [row] } = await succeed(app, route, { body: {} });
    assertEquals(shownIn(row.properties), ["12"]);
  }));

Deno.test("a query by computed values does so as well", () =>
  withRaces(async (app, race) => {
    const { databaseId, change } = await makeRow(app);
    const expression = 'if(timestamp(now()) < 0, "", format(prop("A")))';
    const properties = { F: { formula: { expression } } };
    await succeed(app, `PATCH /v2/databases/${databaseId}`, { body: { properties } });
    for (const shown of [["12"], 12, ["12"]]) {
      race({ read: "rows", when: "before", left: 1, edit: change });
      const { results: [row] } = await succeed(app, query(databaseId), {
        body: { filter: { property: "F", formula: { string: { equals: "12" } } } },
      });
      assertEquals(shownIn(row.properties), shown);
    }
  }));

Deno.test("a rollup shows related rows by the schema that they fit", () =>
  withRaces(async (app, race) => {
    const { databaseId, rowId, change } = await makeRow(app);
    const { id } = await newDatabase(app, {
      R: { relation: { database_id: databaseId, single_property: {} } },
      All: {
        rollup: {
          function: "show_original",
          relation_property_name: "R",
          rollup_property_name: "A",
        },
      },
    });
    await newRow(app, id, { R: { relation: [{ id: rowId }] } });
    for (const shown of [["12"], 12]) {
      race({ read: "links", when: "after", left: 1, edit: change });
      const { results: [row] } = await succeed(app, query(id), { body: {} });
      assertEquals(row.properties.All.rollup.array.map((A: unknown) => shownIn({ A })), [shown]);
    }
  }));

Deno.test("a search shows rows by the schema that they fit", () =>
  withRaces(async (app, race) => {
    const { change } = await makeRow(app);
    for (const shown of [["12"], 12]) {
      race({ read: "firstNodes", when: "after", left: 1, edit: change });
      const { results: [row] } = await succeed(app, "POST /v2/search", {
        body: { query: "swallow" },
      });
      assertEquals(shownIn(row.properties), shown);
    }
  }));

Deno.test("a search is answered while schemas change as often as it looks for words", () =>
  withRaces(async (app, race) => {
    const { change } = await makeRow(app);
    const forever: Race = { read: "findWords", when: "after", left: Infinity, edit: change };
    race(forever);
    const { results: [row] } = await succeed(app, "POST /v2/search", {
      body: { query: "swallow" },
    });
    forever.left = 0;
    const { A } = row.properties;
    assertEquals(shownIn(row.properties), A.type === "number" ? 12 : ["12"]);
  }));

Deno.test("a row and its properties are shown by the schema that they fit", () =>
  withRaces(async (app, race) => {
    const { rowId, change } = await makeRow(app);
    const route = `GET /v2/pages/${rowId}`;
    for (const when of ["before", "after", "after"] as const) {
      race({ read: "node", when, left: 1, edit: change });
      const { properties: { A } } = await succeed(app, route);
      assertEquals(
        [A.type, shownIn({ A })],
        A.type === "number" ? ["number", 12] : ["rich_text", ["12"]],
      );
    }
    for (const when of ["before", "after", "after"] as const) {
      race({ read: "node", when, left: 1, edit: change });
      const answer = await succeed(app, `${route}/properties/A`);
      const shown = answer.results?.map(({ rich_text }: Answer["json"]) => rich_text.plain_text) ??
        answer.number;
      assertEquals(shown, answer.type === "number" ? 12 : ["12"]);
    }
  }));

Deno.test("a row is shown by the schema that it fits if another read of that began before", () =>
  withRaces(async (app, race) => {
    const { databaseId, rowId } = await makeRow(app);
    const change = (A: object) =>
      succeed(app, `PATCH /v2/databases/${databaseId}`, { body: { properties: { A } } });
    await change(TEXT);
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const hold = () => {
      asked.resolve();
      return answered.promise;
    };
    race({ read: "firstNodes", when: "before", left: 1, edit: hold });
    const other = succeed(app, query(databaseId), { body: { page_size: 1 } });
    await asked.promise;
    const edit = async () => {
      await change(NUMBER);
      answered.resolve();
      await other;
    };
    race({ read: "node", when: "after", left: 1, edit });
    const { properties: { A } } = await succeed(app, `GET /v2/pages/${rowId}`);
    assertEquals([A.type, shownIn({ A })], ["number", 12]);
  }));

Deno.test("a row is edited by the schema that it fits if another process changes that meanwhile", () =>
  withRaces((app, race) =>
    withApp(async (other) => {
      const { rowId, change } = await makeRow(other);
      for (const when of ["before", "after", "after"] as const) {
        race({ read: "node", when, left: 1, edit: change });
        const { properties: { A } } = await succeed(app, `PATCH /v2/pages/${rowId}`, {
          body: { properties: { Name: titled("swift") } },
        });
        assertEquals(shownIn({ A }), A.type === "number" ? 12 : ["12"]);
      }
    }, { store: { ...app.store, close: () => Promise.resolve() } })
  ));

Deno.test("a query is refused for a second if the types change again and again", () =>
  withRaces(async (app, race) => {
    const { databaseId, change } = await makeRow(app);
    const forever: Race = { read: "listRows", when: "before", left: Infinity, edit: change };
    race(forever);
    const { status, json, headers } = await app.call(query(databaseId), { body: {} });
    assertEquals([status, json.code, headers.get("retry-after")], [
      503,
      "service_unavailable",
      "1",
    ]);
    forever.left = 0;
    await succeed(app, query(databaseId), { body: {} });
  }));

Deno.test("a query is answered while rows add options all the time", () =>
  withRaces(async (app, race) => {
    const { id } = await newDatabase(app, { Tag: { select: {} } });
    let count = 0;
    const add = () => newRow(app, id, { Tag: { select: { name: `tag ${count++}` } } });
    await add();
    const forever: Race = { read: "listRows", when: "before", left: Infinity, edit: add };
    race(forever);
    const { results } = await succeed(app, query(id), { body: {} });
    forever.left = 0;
    assert(results.length > 0 && results.length < count + 1);
    assertEquals(results.at(-1).properties.Tag.select.name, "tag 0");
  }));

Deno.test("a query of rows that were printed before needs no second look at their schema", async () => {
  const store = await openStore(":memory:");
  let looks = 0;
  const versions: Store["versions"] = (...args) => {
    looks++;
    return (store.early?.reading.versions ?? store.versions)(...args);
  };
  const { early } = store;
  await withApp(async (app) => {
    const { id } = await newDatabase(app);
    await newRow(app, id, { Name: titled("swallow") });
    await succeed(app, query(id), { body: {} });
    looks = 0;
    await succeed(app, query(id), { body: {} });
    assertEquals(looks, 1);
    await succeed(app, `PATCH /v2/databases/${id}`, { body: { title: text("Others") } });
    looks = 0;
    await succeed(app, query(id), { body: {} });
    assertEquals(looks, 2);
  }, {
    store: {
      ...store,
      versions,
      ...(early && { early: { ...early, reading: { ...early.reading, versions } } }),
    },
  });
});
