/**
 * Requests that might block the service, in the order in which they are sent: reads, large
 * requests, then changes of a large database.
 *
 * @module
 */
import { DATABASE } from "../query/data.ts";
import { longPages } from "./long_pages.ts";
import { longRows } from "./long_rows.ts";
import type { Answered, Service } from "./service.ts";
import { BOX, BOXES, ROOT } from "./workspace.ts";

export interface Deed {
  readonly name: string;
  /** Number of rows or blocks it changes. */
  readonly rows?: number;
  run(): Promise<Pick<Answered, "status" | "size">>;
}

/** Stored properties, those with the fewest values first. */
const SORTED = ["Done", "Region", "Stage", "Tags", "Score", "Start", "Due", "Amount", "Name"];
/** Pages of one request at most. */
const TOGETHER = 100;
/** Words of the rows and pages. */
const SOME_WORDS = (
  "plan review draft launch budget report design meeting notes offer contract summary " +
  "The quick brown fox jumps over lazy dog while others look on and say nothing"
).split(" ");
const QUERY = `POST /v2/databases/${DATABASE}/query`;

/** Creates the content that the requests need, and returns the requests. */
export async function deeds(service: Service, rows: number): Promise<readonly Deed[]> {
  return [
    ...questions(service),
    ...queries(service),
    ...await computing(service),
    ...await largeAnswers(service),
    ...await brought(service),
    ...await longRows(service),
    ...await longPages(service),
    ...changes(service, rows),
  ];
}

/** Searches for as many words as a question can have. */
function questions({ ask }: Service): Deed[] {
  const all = Array.from({ length: 160 }, (_, n) => SOME_WORDS[n] ?? String(37 * n)).join(" ");
  const quoted = SOME_WORDS.map((word) => `"${word} ${word}"`).join(" ");
  const search = (name: string, body: object, route = ""): Deed => ({
    name: `search for 160 words: ${name}`,
    run: () => ask(`POST /v2/search${route}`, body),
  });
  return [
    search("all", { query: all }),
    search("any", { query: all, words: "any" }),
    search("any, total", { query: all, words: "any", total: true }),
    search("by meaning", { query: all }, "/semantic"),
    search("30 phrases", { query: quoted }),
  ];
}

function queries({ ask }: Service): Deed[] {
  const contains = { property: "Notes", rich_text: { contains: "zzz" } };
  const many = (count: number, condition: (n: number) => object) => ({
    filter: { and: groups(Array.from({ length: count }, (_, n) => condition(n))) },
  });
  const text = (n: number) => ({ property: "Notes", rich_text: { contains: `zzz ${n}` } });
  const formula = (n: number) => ({ property: "Net", formula: { number: { equals: -n - 1 } } });
  const query = (name: string, body: object): Deed => ({ name, run: () => ask(QUERY, body) });
  const by = (property: string) => ({ sorts: [{ property, direction: "ascending" }] });
  return [
    query("query, newest first", {}),
    query("`contains` without a match", { filter: contains }),
    query("the same and a select equals", {
      filter: { and: [contains, { property: "Stage", select: { equals: "a1 1" } }] },
    }),
    query("100 conditions", many(100, text)),
    query("1,000 conditions", many(1_000, text)),
    query("1,000 conditions on a select", {
      ...many(1_000, () => ({ property: "Stage", select: { does_not_equal: "a1 1" } })),
      ...by("Amount"),
    }),
    query("formula filter without a match", {
      filter: { property: "Net", formula: { number: { less_than: -1 } } },
    }),
    query("1,000 formula conditions", many(1_000, formula)),
    query("sort by a formula", by("Net")),
    query("sort by a person's name", by("Owner")),
    query("sort by a relation", by("Box")),
    query("sort by a rollup", by("Boxed")),
    query("100 sorts", {
      sorts: Array.from({ length: 100 }, (_, n) => ({
        property: n % 2 === 0 ? "Done" : "Stage",
        direction: "descending",
      })),
    }),
    query("sorts by each stored property", {
      sorts: [...SORTED, ...SORTED].map((property) => ({ property, direction: "descending" })),
    }),
    {
      name: "four callers of `contains` without a match",
      run: async () => {
        const four = Array.from({ length: 4 }, () => ask(QUERY, { filter: contains }));
        const [first] = await Promise.all(four);
        return first ?? { status: 0, size: 0 };
      },
    },
  ];
}

/** Builds a filter of this many conditions, in as many `or`s as the limit requires. */
function groups(conditions: readonly object[]): object[] {
  return Array.from({ length: Math.ceil(conditions.length / 100) }, (_, index) => ({
    or: conditions.slice(index * 100, (index + 1) * 100),
  }));
}

const ITEMS = 'split(repeat("a,", 9999), ",")';
/** 4,095 nodes that are no deeper than a formula may be. */
const OPERATORS = Array.from({ length: 11 }).reduce<string>((sum) => `(${sum}+${sum})`, "index");

const HEAVY = {
  "a pattern over long texts": 'prop("Rows").map(test(repeat("a", 30000), "^(a|a)*$")).length()',
  "long texts": 'prop("Rows").map(repeat(repeat("ab", 1000), 1000)).length()',
  "long lists": 'prop("Rows").map(split(repeat("a,", 4000), ",").length()).sum()',
  "many operators": `${ITEMS}.map(${OPERATORS}).length()`,
  "comparisons of long texts": `${ITEMS}.some(repeat("a", 100000) == repeat("b", 100000))`,
  "an order": 'prop("Rows").sort(current.prop("Amount")).length()',
  "a median": 'prop("Rows").map(current.prop("Amount")).median()',
};

const ROLLUPS = ["unique", "show_unique", "show_original", "median"];

async function computing({ ask }: Service): Promise<Deed[]> {
  const made: Deed[] = [
    { name: "row with a rollup of a third of all rows", run: () => ask(`GET /v2/pages/${BOX}`) },
    {
      name: "query sorted by that rollup",
      run: () =>
        ask(`POST /v2/databases/${BOXES}/query`, {
          sorts: [{ property: "Sum", direction: "ascending" }],
        }),
    },
    {
      name: "one property of that row, item by item",
      run: () => ask(`GET /v2/pages/${BOX}/properties/Rows`),
    },
  ];
  for (const [index, [name, expression]] of Object.entries(HEAVY).entries()) {
    const property = `Heavy ${index}`;
    await must(ask(`PATCH /v2/databases/${BOXES}`, {
      properties: { [property]: { formula: { expression } } },
    }));
    made.push({
      name: `row whose formula makes ${name} of its related rows`,
      run: () => ask(`GET /v2/pages/${BOX}?filter_properties=${encodeURIComponent(property)}`),
    });
  }
  for (const name of ROLLUPS) {
    const property = `Rollup ${name}`;
    await must(ask(`PATCH /v2/databases/${BOXES}`, {
      properties: {
        [property]: {
          rollup: {
            relation_property_name: "Rows",
            rollup_property_name: "Amount",
            function: name,
          },
        },
      },
    }));
    made.push({
      name: `row with a rollup of its related rows by ${name}`,
      run: () => ask(`GET /v2/pages/${BOX}?filter_properties=${encodeURIComponent(property)}`),
    });
  }
  await must(ask(`PATCH /v2/databases/${BOXES}`, {
    properties: {
      Texts: {
        rollup: {
          relation_property_name: "Rows",
          rollup_property_name: "Notes",
          function: "show_original",
        },
      },
    },
  }));
  const list = "Rollup show_unique";
  const boxes = (name: string, body: object): Deed => ({
    name,
    run: () => ask(`POST /v2/databases/${BOXES}/query?filter_properties=Name`, body),
  });
  made.push(
    boxes("query sorted by a list of its related rows", {
      sorts: [{ property: list, direction: "ascending" }],
    }),
    boxes("query by a condition on no item of that list", {
      filter: { property: list, rollup: { none: { number: { less_than: -1 } } } },
    }),
    boxes("query sorted by a list of their texts", {
      sorts: [{ property: "Texts", direction: "ascending" }],
    }),
    boxes("query by 100 conditions on that list", {
      filter: {
        or: Array.from({ length: 100 }, (_, n) => ({
          property: "Texts",
          rollup: { any: { rich_text: { contains: `zzz ${n}` } } },
        })),
      },
    }),
  );
  return made;
}

const LONG = { text: { content: "x".repeat(2_000) } };

async function largeAnswers({ ask }: Service): Promise<Deed[]> {
  const properties = { Name: { title: {} }, Text: { rich_text: {} } };
  const database = (await must(ask("POST /v2/databases", {
    parent: { page_id: ROOT },
    title: [{ text: { content: "Long" } }],
    properties,
  }))).json().id;
  const page = await newPage(ask);
  for (let n = 0; n < 41; n++) {
    await must(ask("POST /v2/pages", {
      parent: { database_id: database },
      properties: {
        Name: { title: Array.from({ length: 100 }, () => LONG) },
        Text: { rich_text: Array.from({ length: 100 }, () => LONG) },
      },
    }));
  }
  for (let n = 0; n < 25; n++) {
    const rich_text = Array.from({ length: 100 }, () => LONG);
    await must(ask(`PATCH /v2/blocks/${page}/children`, {
      children: Array.from({ length: 4 }, () => ({ paragraph: { rich_text } })),
    }));
  }
  return [
    {
      name: "query of 41 rows with texts of 400,000 characters",
      run: () => ask(`POST /v2/databases/${database}/query`, {}),
    },
    {
      name: "100 children with texts of 200,000 characters",
      run: () => ask(`GET /v2/blocks/${page}/children`),
    },
    {
      name: "search that finds them",
      run: () => ask("POST /v2/search", { query: "x".repeat(20) }),
    },
  ];
}

type Ask = Service["ask"];

async function must(asked: Promise<Answered>): Promise<Answered> {
  const answered = await asked;
  if (answered.status !== 200) {
    throw new Error(`${answered.status}: ${JSON.stringify(answered.json())}`);
  }
  return answered;
}

async function newPage(ask: Ask, more: object = {}): Promise<string> {
  const body = { parent: { page_id: ROOT }, properties: { title: [LONG] }, ...more };
  return (await must(ask("POST /v2/pages", body))).json().id;
}

const WORDS = "The quick brown fox jumps over the lazy dog.";

function paragraphs(count: number, content = WORDS): object[] {
  return Array.from({ length: count }, (_, n) => ({
    paragraph: { rich_text: [{ text: { content: `${n} ${content}` } }] },
  }));
}

/** 5,000 blocks in a tree of arrays of 70. */
function nested(): object[] {
  return Array.from({ length: 70 }, () => ({
    toggle: { rich_text: [{ text: { content: WORDS } }], children: paragraphs(70) },
  }));
}

async function brought({ ask }: Service): Promise<Deed[]> {
  const page = await newPage(ask);
  const append = (children: object[]) => ask(`PATCH /v2/blocks/${page}/children`, { children });
  const printed = async (character: string): Promise<string> => {
    const made = await newPage(ask);
    for (let n = 0; n < 4; n++) {
      await must(ask(`PATCH /v2/blocks/${made}/children`, {
        children: paragraphs(100, character.repeat(1_990)),
      }));
    }
    return made;
  };
  const [lines, stars, brackets] = [await printed("\n"), await printed("*"), await printed("[")];
  const markdownOf = (name: string, id: string): Deed => ({
    name: `content/markdown of 400 paragraphs of 2,000 ${name}`,
    run: () => ask(`GET /v2/pages/${id}/content/markdown`),
  });
  const unknown = Object.fromEntries(
    Array.from({ length: 990 }, (_, n) => [`unknown member ${n} ${"x".repeat(30)}`, n]),
  );
  const parent = { page_id: ROOT };
  const together = (name: string, page: (n: number) => object): Deed => ({
    name,
    rows: TOGETHER,
    run: () => {
      const lines = Array.from({ length: TOGETHER }, (_, n) => JSON.stringify(page(n)));
      return ask("POST /v2/pages", lines.join("\n"), "application/jsonl");
    },
  });
  const row = (notes: string) => (n: number) => ({
    parent: { database_id: DATABASE },
    properties: {
      Notes: { rich_text: [{ text: { content: notes } }] },
      Stage: { select: { name: "a1 1" } },
      Amount: { number: n },
      Done: { checkbox: n % 2 === 0 },
    },
  });
  const text = Array.from({ length: 2_000 }, (_, n) => `${n} ${WORDS.repeat(4)}`).join("\n\n");
  return [
    {
      name: "page with 990 unknown members",
      run: () => ask("POST /v2/pages", { parent, properties: {}, ...unknown }),
    },
    {
      name: "page with 990 unknown properties",
      run: () => ask("POST /v2/pages", { parent: { database_id: DATABASE }, properties: unknown }),
    },
    {
      name: "body of 500,000 levels",
      run: () => ask("POST /v2/pages", "[".repeat(500_000)),
    },
    together("100 rows in one request", row(WORDS)),
    together("100 rows of 1,990 characters in one request", row("word ".repeat(398))),
    together("100 pages of 49 blocks in one request", () => ({
      parent,
      properties: {},
      children: paragraphs(49, "word "),
    })),
    { name: "5,000 blocks at once, nested", rows: 4_970, run: () => append(nested()) },
    {
      name: "10 appends of 100 blocks of 900 characters, back to back",
      rows: 1_000,
      run: async () => {
        let last: Answered = { status: 0, size: 0, json: () => undefined };
        for (let n = 0; n < 10; n++) last = await append(paragraphs(100, "word ".repeat(180)));
        return last;
      },
    },
    {
      name: "page from 400 kB of Markdown",
      rows: 2_000,
      run: () =>
        ask("POST /v2/pages", { parent, properties: {}, markdown: text.slice(0, 400_000) }),
    },
    markdownOf("line ends", lines),
    markdownOf("`*`", stars),
    markdownOf("`[`", brackets),
    {
      name: "a new title of a page with 5,970 blocks",
      run: () => ask(`PATCH /v2/pages/${page}`, { properties: { title: [LONG] } }),
    },
    {
      name: "content/markdown of that page",
      run: () => ask(`GET /v2/pages/${page}/content/markdown`),
    },
  ];
}

function changes({ ask }: Service, rows: number): Deed[] {
  const retype = (name: string, properties: object): Deed => ({
    name,
    rows,
    run: () => ask(`PATCH /v2/databases/${DATABASE}`, { properties }),
  });
  const blocks = rows * 3;
  return [
    retype("add a number", { New: { number: {} } }),
    retype("add a unique_id", { Ref: null, Id: { unique_id: { prefix: "R" } } }),
    retype("rich_text to select", { Notes: { select: {} } }),
    retype("select to rich_text", { Notes: { rich_text: {} } }),
    retype("number to rich_text", { Score: { rich_text: {} } }),
    retype("rich_text to number", { Score: { number: {} } }),
    retype("date to rich_text", { Due: { rich_text: {} } }),
    retype("multi_select to rich_text", { Tags: { rich_text: {} } }),
    retype("select to status", { Stage: { status: {} } }),
    retype("remove a select", { Region: null }),
    { name: "trash all", rows: blocks, run: () => ask(`DELETE /v2/pages/${ROOT}`) },
    {
      name: "bring all back",
      rows: blocks,
      run: () => ask(`PATCH /v2/pages/${ROOT}`, { in_trash: false }),
    },
    { name: "trash the database", rows, run: () => ask(`DELETE /v2/databases/${DATABASE}`) },
  ];
}
