import { LIMITS } from "../../src/content/values/limits.ts";
import { assertEquals } from "../assert.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { newDatabase, newRow } from "./database_driver.ts";
import { newPage, succeed } from "./driver.ts";

const DETAIL = "Pages and databases can be at most 500 levels deep in each other.";
const title = { title: [] };

type Outcome = readonly [status: number, detail: string | undefined];

async function outcomeOf({ call }: TestApp, route: string, body: object): Promise<Outcome> {
  const headers = { "notion-version": "2022-06-28" };
  const { status, json } = await call(route, {
    body,
    ...(route.includes("/v1/") && { headers }),
  });
  return [status, json.detail ?? json.message];
}

function child(app: TestApp, parent: string): Promise<string> {
  return newPage(app, { parent: { page_id: parent } });
}

/** Creates pages, each in the one before; returns their IDs from the top. */
async function chain(app: TestApp, length: number): Promise<string[]> {
  const ids = [await newPage(app)];
  while (ids.length < length) ids.push(await child(app, ids.at(-1) ?? ""));
  return ids;
}

Deno.test("pages and databases are at most as deep in each other as the limit", () =>
  withApp(async (app) => {
    const ids = await chain(app, LIMITS.pageDepth);
    const deepest = { page_id: ids.at(-1) };
    const page = { parent: deepest, properties: { title } };
    assertEquals(await outcomeOf(app, "POST /v2/pages", page), [400, DETAIL]);
    const database = { parent: deepest, title: [], properties: { Name: { title: {} } } };
    assertEquals(await outcomeOf(app, "POST /v2/databases", database), [400, DETAIL]);

    const other = await newPage(app);
    const move = `POST /v1/pages/${other}/move`;
    assertEquals(await outcomeOf(app, move, { parent: deepest }), [400, DETAIL]);
    const [above = ""] = ids.slice(-2);
    const inner = await child(app, other);
    assertEquals(await outcomeOf(app, move, { parent: { page_id: above } }), [400, DETAIL]);
    const moveInner = `POST /v1/pages/${inner}/move`;
    assertEquals(await outcomeOf(app, moveInner, { parent: { page_id: above } }), [200, undefined]);
  }));

Deno.test("rows may be one level deeper, whether they are created or moved", () =>
  withApp(async (app) => {
    const ids = await chain(app, LIMITS.pageDepth - 1);
    const [above = "", holder = ""] = ids.slice(-2);
    const { id } = await newDatabase(app, {}, { parent: { page_id: holder } });
    const row = await newRow(app, id, {});
    const inRow = { parent: { page_id: row.id }, properties: { title } };
    assertEquals(await outcomeOf(app, "POST /v2/pages", inRow), [400, DETAIL]);
    const other = await newPage(app);
    const moveOther = `POST /v1/pages/${other}/move`;
    assertEquals(await outcomeOf(app, moveOther, { parent: { database_id: id } }), [
      200,
      undefined,
    ]);

    const move = `POST /v1/pages/${holder}/move`;
    const top = { parent: { page_id: await newPage(app) } };
    const back = { parent: { page_id: above } };
    for (const parent of [top, back, top]) {
      assertEquals(await outcomeOf(app, move, parent), [200, undefined]);
    }
    // It could be restored.
    await succeed(app, `DELETE /v2/pages/${await child(app, String(row.id))}`);
    assertEquals(await outcomeOf(app, move, back), [400, DETAIL]);
  }));
