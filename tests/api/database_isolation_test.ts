import { assert, assertEquals } from "../assert.ts";
import { namedRows, newDatabase, valuesOf } from "./database_driver.ts";
import { refusal, succeed } from "./driver.ts";
import { assertSame, SECRET, type Two, withTwo } from "./two_workspaces.ts";

/** The first workspace with a database of its own, related to itself, and a row in it. */
interface Own {
  readonly id: string;
  readonly row: string;
  /** Calls the API with the token of `mine`. */
  readonly mine: Pick<Two["app"], "call">;
}

function ownOf({ app, token }: Two): Own["mine"] {
  return { call: (route, options) => app.call(route, { token, ...options }) };
}

async function withOwn(two: Two, test: (own: Own) => Promise<void>): Promise<void> {
  const mine = ownOf(two);
  const { id } = await newDatabase(mine, { Who: { people: {} }, Kind: { select: {} } });
  const properties = { Other: { relation: { database_id: id, dual_property: {} } } };
  await succeed(mine, `PATCH /v2/databases/${id}`, { body: { properties } });
  const { row = "" } = await namedRows(mine, id, { row: {} });
  await test({ id, row, mine });
}

Deno.test("a relation to another workspace's database fails as one to an unknown id", () =>
  withTwo((two) =>
    withOwn(two, async ({ id }) => {
      for (const kind of ["single_property", "dual_property"]) {
        const properties = (database_id: string) => ({
          Theirs: { relation: { database_id, [kind]: {} } },
        });
        await assertSame(two, (foreign) => ["POST /v2/databases", {
          body: {
            parent: { workspace: true },
            properties: { Name: { title: {} }, ...properties(foreign) },
          },
        }]);
        await assertSame(two, (foreign) => [`PATCH /v2/databases/${id}`, {
          body: { properties: properties(foreign) },
        }]);
      }
      await assertSame(two, (page_id) => ["POST /v2/databases", {
        body: { parent: { page_id }, properties: { Name: { title: {} } } },
      }]);
    })
  ));

Deno.test("a reference to another workspace's row fails as one to an unknown id", () =>
  withTwo((two) =>
    withOwn(two, async ({ id, row, mine }) => {
      const body = (foreign: string) => ({
        properties: { Other: { relation: [{ id: foreign }] } },
      });
      await assertSame(two, (foreign) => [`PATCH /v2/pages/${row}`, { body: body(foreign) }]);
      await assertSame(two, (foreign) => ["POST /v2/pages", {
        body: { parent: { database_id: id }, ...body(foreign) },
      }]);
      assertEquals(valuesOf(await succeed(mine, `GET /v2/pages/${row}`)).Other, []);
    })
  ));

Deno.test("filters with ids of another workspace find the same as with unknown ids", () =>
  withTwo((two) =>
    withOwn(two, async ({ id }) => {
      for (const operator of ["contains", "does_not_contain"]) {
        for (const [property, key] of [["Other", "relation"], ["Who", "people"]] as const) {
          await assertSame(two, (foreign) => [`POST /v2/databases/${id}/query`, {
            body: { filter: { property, [key]: { [operator]: foreign } } },
          }]);
        }
      }
      const sorts = (property: string) => ({ sorts: [{ property, direction: "ascending" }] });
      await assertSame(two, (foreign) => [`POST /v2/databases/${id}/query`, {
        body: sorts(foreign),
      }]);
    })
  ));

Deno.test("another workspace's user is an id without a name, also when sorting", () =>
  withTwo((two) =>
    withOwn(two, async ({ id, row, mine }) => {
      const user = new Map(two.foreign).get("user") ?? "";
      const body = { properties: { Who: { people: [{ id: user }] } } };
      const written = await mine.call(`PATCH /v2/pages/${row}`, { body });
      assertEquals(valuesOf(written.json).Who, [{ object: "user", id: user }]);
      const sorts = [{ property: "Who", direction: "ascending" }];
      const found = await mine.call(`POST /v2/databases/${id}/query`, { body: { sorts } });
      assertEquals(found.json.results.length, 1);
      const formula = {
        Names: { formula: { expression: 'prop("Who").map(current.name()).join(",")' } },
      };
      await succeed(mine, `PATCH /v2/databases/${id}`, { body: { properties: formula } });
      const read = await mine.call(`GET /v2/pages/${row}`);
      for (const answer of [written, found, read]) assert(!answer.text.includes(SECRET));
    })
  ));

Deno.test("a cursor of one workspace is invalid in another", () =>
  withTwo((two) =>
    withOwn(two, async ({ id, mine }) => {
      const { app, foreign } = two;
      const theirs = await app.mint({ workspace: "theirs" });
      const database = new Map(foreign).get("database") ?? "";
      const body = { parent: { database_id: database }, properties: {} };
      await succeed(app, "POST /v2/pages", { token: theirs, body });
      const list = await succeed(app, `POST /v2/databases/${database}/query`, {
        token: theirs,
        body: { page_size: 1 },
      });
      const next = { page_size: 1, start_cursor: list.next_cursor };
      const used = await mine.call(`POST /v2/databases/${id}/query`, { body: next });
      assertEquals(refusal(used), [400, "validation_error"]);
      assert(used.json.message.includes("start_cursor"));
      const there = await mine.call(`POST /v2/databases/${database}/query`, { body: next });
      assertEquals(refusal(there), [404, "object_not_found"]);
    })
  ));
