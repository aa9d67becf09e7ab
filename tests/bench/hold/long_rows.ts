/**
 * Requests that read rows with long texts, whose number alone says little about the work.
 *
 * @module
 */
import type { Deed } from "./deeds.ts";
import type { Answered, Service } from "./service.ts";
import { ROOT } from "./workspace.ts";

const ROWS = 400;
/** Texts of each row, 2,000 characters each. */
const TEXTS = 100;

/** Short rows before the long ones of another database, and after them. */
const SHORT_ROWS = 10_000;
/** Rows of one request at most. */
const TOGETHER = 100;

/** Creates rows of 200,000 characters, and returns the requests. */
export async function longRows(service: Service): Promise<Deed[]> {
  const { ask } = service;
  const create = async (route: string, body: object): Promise<string> => {
    const answered: Answered = await ask(route, body);
    if (answered.status !== 200) throw new Error(`${route}: ${answered.status}`);
    return answered.json().id;
  };
  const title = [{ text: { content: "Long" } }];
  const parent = { page_id: ROOT };
  const long = await create("POST /v2/databases", {
    parent,
    title,
    properties: {
      Name: { title: {} },
      Text: { rich_text: {} },
      A: { number: {} },
      B: { number: {} },
    },
  });
  const box = await createBox(create, { parent, title, long });
  const content = "lorem ipsum ".repeat(170).slice(0, 2_000);
  const rich_text = Array.from({ length: TEXTS }, () => ({ text: { content } }));
  for (let n = 0; n < ROWS; n++) {
    const properties = {
      Text: { rich_text },
      Box: { relation: [{ id: box }] },
      A: { number: n },
      B: { number: ROWS - n },
    };
    await create("POST /v2/pages", { parent: { database_id: long }, properties });
  }
  const mixed = await create("POST /v2/databases", {
    parent,
    title,
    properties: { Name: { title: {} }, Text: { rich_text: {} } },
  });
  await addShortRows(service, mixed);
  for (let n = 0; n < ROWS; n++) {
    await create("POST /v2/pages", {
      parent: { database_id: mixed },
      properties: { Text: { rich_text } },
    });
  }
  await addShortRows(service, mixed);
  const query = (name: string, body: object, database = long): Deed => ({
    name: `long rows: ${name}`,
    run: () => ask(`POST /v2/databases/${database}/query`, body),
  });
  const isNot = (property: string, n: number) => ({ property, number: { does_not_equal: n } });
  const contains = { filter: { property: "Text", rich_text: { contains: "zzz" } } };
  const search = (name: string, route: string): Deed => ({
    name: `long rows: ${name}`,
    run: () => ask(route, { query: "lorem ipsum", page_size: 100 }),
  });
  return [
    { name: "long rows: one with a rollup of all", run: () => ask(`GET /v2/pages/${box}`) },
    query("first page", {}),
    query("`contains` without a match", contains),
    query("the same among many short rows", contains, mixed),
    query("30 conditions on numbers, sorted by a number", {
      filter: {
        and: Array.from({ length: 30 }, (_, n) => ({ or: [isNot("A", -n), isNot("B", -n)] })),
      },
      sorts: [{ property: "B", direction: "ascending" }],
    }),
    query("sort by their text", { sorts: [{ property: "Text", direction: "ascending" }] }),
    search("search by words", "POST /v2/search"),
    search("search by meaning", "POST /v2/search/semantic"),
  ];
}

async function addShortRows({ ask }: Service, database: string): Promise<void> {
  const line = JSON.stringify({
    parent: { database_id: database },
    properties: { Text: { rich_text: [{ text: { content: "short" } }] } },
  });
  const body = Array.from({ length: TOGETHER }, () => line).join("\n");
  for (let n = 0; n < SHORT_ROWS; n += TOGETHER) {
    const { status } = await ask("POST /v2/pages", body, { "content-type": "application/jsonl" });
    if (status !== 200) throw new Error(`Short rows: ${status}`);
  }
}

interface Surroundings {
  readonly parent: object;
  readonly title: readonly object[];
  /** ID of the database with the long rows. */
  readonly long: string;
}

/** Creates a row that all long rows are related to. */
async function createBox(
  create: (route: string, body: object) => Promise<string>,
  { parent, title, long }: Surroundings,
): Promise<string> {
  const dual_property = { synced_property_name: "Box" };
  const boxes = await create("POST /v2/databases", {
    parent,
    title,
    properties: {
      Name: { title: {} },
      Rows: { relation: { database_id: long, type: "dual_property", dual_property } },
      Texts: {
        rollup: {
          relation_property_name: "Rows",
          rollup_property_name: "Text",
          function: "show_unique",
        },
      },
    },
  });
  return await create("POST /v2/pages", { parent: { database_id: boxes }, properties: {} });
}
