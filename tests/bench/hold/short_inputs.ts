/**
 * Requests of few bytes, or of few characters of a kind, that could take long or have long answers.
 *
 * @module
 */
import type { Deed } from "./deeds.ts";
import { type Ask, LONG, must, nested, newPage } from "./requests.ts";
import type { Service } from "./service.ts";
import { ROOT } from "./workspace.ts";

const PARENT = { page_id: ROOT };
const TITLE = [{ text: { content: "Short" } }];

export async function shortInputs({ ask }: Service): Promise<Deed[]> {
  const deeds = [
    ...await texts(ask),
    ...await beginnings(ask),
    ...await shown(ask),
    ...await formulas(ask),
  ];
  return deeds.map((deed) => ({ ...deed, name: `short: ${deed.name}` }));
}

function times<T>(count: number, item: T): T[] {
  return Array.from({ length: count }, () => item);
}

/** The items of a text of 100 times these letters, up to 2,000. */
function textOf(letters: string): object[] {
  return times(100, { text: { content: letters } });
}

async function texts(ask: Ask): Promise<Deed[]> {
  const page = await newPage(ask);
  const append = (rich_text: object[]) =>
    ask(`PATCH /v2/blocks/${page}/children`, { children: [{ paragraph: { rich_text } }] });
  await must(append(textOf("あ".repeat(2_000))));
  const { id: database } = (await must(ask("POST /v2/databases", {
    parent: PARENT,
    title: TITLE,
    properties: { Name: { title: {} }, Text: { rich_text: {} } },
  }))).json();
  const repeated = { Text: { rich_text: textOf("a".repeat(2_000)) } };
  for (let n = 0; n < 20; n++) {
    await must(ask("POST /v2/pages", { parent: { database_id: database }, properties: repeated }));
  }
  const joined = `a${"-a".repeat(60)},a`;
  const contains = `${"a".repeat(900)}b${"a".repeat(900)}`;
  const filter = (count: number) => ({
    filter: { or: times(count, { property: "Text", rich_text: { contains } }) },
  });
  return [
    { name: "word of 62 letters and joints", run: () => append([{ text: { content: joined } }]) },
    { name: "search for it", run: () => ask("POST /v2/search", { query: joined }) },
    {
      name: "200,000 marks behind a letter",
      run: () => append(textOf("\u0301\u0316".repeat(1_000))),
    },
    {
      name: "search for 900 characters without spaces",
      run: () => ask("POST /v2/search", { query: `${"あ".repeat(900)}い` }),
    },
    {
      name: "If-Match of 15,000 spaces",
      run: () => ask(`GET /v2/pages/${page}`, undefined, { "if-match": `"${" ".repeat(15_000)}"` }),
    },
    {
      name: "5 conditions with texts that repeat themselves",
      run: () => ask(`POST /v2/databases/${database}/query`, filter(5)),
    },
    {
      name: "100 of them",
      run: () => ask(`POST /v2/databases/${database}/query`, filter(100)),
    },
    {
      name: "1,000 conditions with short texts",
      run: () => ask(`POST /v2/databases/${database}/query`, manyConditions()),
    },
  ];
}

/** Conditions that are false for each of the texts. */
function manyConditions(): object {
  const contains = (n: number) => ({ property: "Text", rich_text: { contains: `n${n}` } });
  const some = (_: unknown, group: number) => ({
    or: Array.from({ length: 50 }, (_, n) => contains(group * 50 + n)),
  });
  return { filter: { or: Array.from({ length: 20 }, some) } };
}

/** Searches for beginnings that a million words have. */
async function beginnings(ask: Ask): Promise<Deed[]> {
  let count = 0;
  const words = () =>
    Array.from({ length: 220 }, () => `abcd${(count++ * 7_919 % 1e6).toString(36)}`).join(" ");
  for (let n = 0; n < 12; n++) {
    const children = Array.from({ length: 4 }, () => ({
      paragraph: {
        rich_text: Array.from({ length: 100 }, () => ({ text: { content: words() } })),
      },
    }));
    const properties = { title: TITLE };
    await must(ask("POST /v2/pages", { parent: PARENT, properties, children }));
  }
  const bodies = [
    { query: "abcd" },
    { query: "abcd1 abcd" },
    { query: '"abcd1 abcd' },
    { query: "abcd", filter: { property: "ancestor", value: ROOT } },
    { query: "abcd", sort: { timestamp: "last_edited_time", direction: "descending" } },
  ];
  return bodies.map((body) => ({
    name: `search with ${JSON.stringify(body)}`,
    run: () => ask("POST /v2/search", body),
  }));
}

/** Content that shows other pages by ID. */
async function shown(ask: Ask): Promise<Deed[]> {
  const title = { properties: { title: times(100, LONG) } };
  const { id } = (await must(ask("POST /v2/pages", { parent: PARENT, ...title }))).json();
  const mentioning = await newPage(ask);
  const mention = { mention: { page: { id } } };
  const blocks = { children: times(20, { paragraph: { rich_text: times(100, mention) } }) };
  const source = await newPage(ask);
  const synced = { synced_block: { synced_from: null, children: [{ divider: {} }] } };
  const { results: [original] } =
    (await must(ask(`PATCH /v2/blocks/${source}/children`, { children: [synced] }))).json();
  for (let n = 0; n < 5; n++) {
    await must(ask(`PATCH /v2/blocks/${original.id}/children`, { children: nested() }));
  }
  const copying = await newPage(ask);
  const copy = { synced_block: { synced_from: { block_id: original.id } } };
  for (let n = 0; n < 5; n++) {
    await must(ask(`PATCH /v2/blocks/${copying}/children`, { children: times(100, copy) }));
  }
  return [
    {
      name: "20 blocks that mention a page with a long title 100 times",
      rows: 20,
      run: () => ask(`PATCH /v2/blocks/${mentioning}/children`, blocks),
    },
    { name: "children with them", run: () => ask(`GET /v2/blocks/${mentioning}/children`) },
    { name: "their Markdown", run: () => ask(`GET /v2/pages/${mentioning}/content/markdown`) },
    {
      name: "Markdown of 500 copies of 24,850 blocks",
      run: () => ask(`GET /v2/pages/${copying}/content/markdown`),
    },
  ];
}

async function formulas(ask: Ask): Promise<Deed[]> {
  const create = (properties: object) =>
    ask("POST /v2/databases", {
      parent: PARENT,
      title: TITLE,
      properties: { Name: { title: {} }, ...properties },
    });
  const many = <T>(count: number, member: (n: number) => readonly [string, T]) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => member(n)));
  const formula = (expression: string) => ({ formula: { expression } });
  const long = formula(`[${"now(),".repeat(4_500)}now()].length()`);
  const targets: string[] = [];
  for (let n = 0; n < 20; n++) targets.push((await must(create({ X: long }))).json().id);
  const named = many(300, (n) => [`${"x".repeat(58)}${1_000 + n}`, { number: {} }]);
  const { id } = (await must(create(named))).json();
  const unknown = formula(times(20, `prop("${"y".repeat(62)}")`).join("+"));
  const patterns = formula(times(60, 'test("a", "a{1000}b{1000}")').join("or "));
  const tests = (count: number) =>
    Array.from({ length: count }, (_, n) => `test("a", "${n}${"(a|b)".repeat(99)}")`).join("or ");
  const weeks = `formatDate(now(), "${"W".repeat(500)}")`;
  const dates = formula(`map(split(repeat("a", 2000), ""), ${weeks}).length()`);
  return [
    {
      name: "120 formulas that name what does not exist",
      run: () =>
        ask(`PATCH /v2/databases/${id}`, { properties: many(120, (n) => [`F${n}`, unknown]) }),
    },
    { name: "formula of 60 patterns that repeat", run: () => create({ F: patterns }) },
    ...[20, 60].map((count): Deed => ({
      name: `formula of ${count} long patterns`,
      run: () => create({ F: formula(tests(count)) }),
    })),
    {
      name: "formula of dates with 500 numbers of weeks each",
      run: async () => {
        const { id: database_id } = (await must(create({ F: dates }))).json();
        return ask("POST /v2/pages", { parent: { database_id }, properties: {} });
      },
    },
    ...[7, 20].map((count): Deed => ({
      name: `rollups of long formulas in ${count} databases`,
      run: () =>
        create({
          ...many(count, (n) => [
            `R${n}`,
            { relation: { database_id: targets[n], single_property: {} } },
          ]),
          ...many(count, (n) => [
            `S${n}`,
            {
              rollup: {
                function: "sum",
                relation_property_name: `R${n}`,
                rollup_property_name: "X",
              },
            },
          ]),
        }),
    })),
  ];
}
