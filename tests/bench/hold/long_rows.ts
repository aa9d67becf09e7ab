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

/** Creates rows of 200,000 characters, and returns the requests. */
export async function longRows({ ask }: Service): Promise<Deed[]> {
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
    properties: { Name: { title: {} }, Text: { rich_text: {} } },
  });
  const box = await createBox(create, { parent, title, long });
  const content = "lorem ipsum ".repeat(170).slice(0, 2_000);
  const rich_text = Array.from({ length: TEXTS }, () => ({ text: { content } }));
  for (let n = 0; n < ROWS; n++) {
    const properties = { Text: { rich_text }, Box: { relation: [{ id: box }] } };
    await create("POST /v2/pages", { parent: { database_id: long }, properties });
  }
  const query = (name: string, body: object): Deed => ({
    name: `long rows: ${name}`,
    run: () => ask(`POST /v2/databases/${long}/query`, body),
  });
  const search = (name: string, route: string): Deed => ({
    name: `long rows: ${name}`,
    run: () => ask(route, { query: "lorem ipsum", page_size: 100 }),
  });
  return [
    { name: "long rows: one with a rollup of all", run: () => ask(`GET /v2/pages/${box}`) },
    query("first page", {}),
    query("`contains` without a match", {
      filter: { property: "Text", rich_text: { contains: "zzz" } },
    }),
    query("sort by their text", { sorts: [{ property: "Text", direction: "ascending" }] }),
    search("search by words", "POST /v2/search"),
    search("search by meaning", "POST /v2/search/semantic"),
  ];
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
