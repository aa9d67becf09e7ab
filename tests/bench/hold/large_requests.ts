/**
 * Writes of as much as one request can hold, and reads of the pages they make.
 *
 * @module
 */
import { DATABASE } from "../query/data.ts";
import type { Deed } from "./deeds.ts";
import { type Ask, LONG, must, nested, newPage, paragraphs, WORDS } from "./requests.ts";
import type { Answered, Service } from "./service.ts";
import { ROOT } from "./workspace.ts";

function otherNames(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `{"${n.toString(36)}":0}`);
}

/** Pages of one request at most. */
const TOGETHER = 100;

export async function brought({ ask }: Service): Promise<Deed[]> {
  const page = await newPage(ask);
  const unknown = Object.fromEntries(
    Array.from({ length: 990 }, (_, n) => [`unknown member ${n} ${"x".repeat(30)}`, n]),
  );
  const parent = { page_id: ROOT };
  const together = (name: string, page: (n: number) => object): Deed => ({
    name,
    rows: TOGETHER,
    run: () => {
      const lines = Array.from({ length: TOGETHER }, (_, n) => JSON.stringify(page(n)));
      return ask("POST /v2/pages", lines.join("\n"), { "content-type": "application/jsonl" });
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
    {
      name: "body of 90,000 objects with other names",
      run: () => ask("POST /v2/pages", `[${otherNames(90_000).join()}]`),
    },
    together("100 rows in one request", row(WORDS)),
    together("100 rows of 1,990 characters in one request", row("word ".repeat(398))),
    together("100 pages of 49 blocks in one request", () => ({
      parent,
      properties: {},
      children: paragraphs(49, "word "),
    })),
    ...appends(ask, page),
    {
      name: "page from 400 kB of Markdown",
      rows: 2_000,
      run: () =>
        ask("POST /v2/pages", { parent, properties: {}, markdown: text.slice(0, 400_000) }),
    },
    ...await printed(ask),
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

/** Appends blocks to a page, and more of them to another. */
function appends(ask: Ask, page: string): Deed[] {
  const append = (children: object[], to = page) =>
    ask(`PATCH /v2/blocks/${to}/children`, { children });
  const backToBack = async (count: number, children: object[], to?: string) => {
    const answers: Answered[] = [];
    for (let n = 0; n < count; n++) answers.push(await append(children, to));
    return worst(answers);
  };
  const toggles = Array.from({ length: 10 }, () => ({
    toggle: { rich_text: [], children: paragraphs(99, "word ".repeat(160)) },
  }));
  return [
    { name: "5,000 blocks at once, nested", rows: 4_970, run: () => append(nested()) },
    { name: "400 blocks of 100 texts, 1 MB at once", rows: 500, run: () => append(manyTexts()) },
    {
      name: "the same with a fault in the last text",
      run: () => append([...manyTexts().slice(1), { paragraph: { rich_text: [{ text: 1 }] } }]),
    },
    {
      name: "table of four rows of 10,000 texts",
      run: () => append([{ table: { table_width: 100, children: crowdedRows() } }]),
    },
    {
      name: "four texts of 200,000 characters of camel case",
      run: () => append(Array.from({ length: 4 }, () => camelCase(100))),
    },
    {
      name: "text of 40,000 characters of camel case",
      run: () => append([camelCase(20)]),
    },
    {
      name: "text of 40,000 Han characters without a space",
      run: () => append([ideographs(20)]),
    },
    {
      name: "text of 200,000 Han characters without a space",
      run: () => append([ideographs(100)]),
    },
    {
      name: "five appends of 5,000 blocks, at the same time",
      rows: 5 * 4_970,
      run: async () => {
        const crowded = await newPage(ask);
        const sent = Array.from({ length: 5 }, () => append(nested(), crowded));
        return worst(await Promise.all(sent));
      },
    },
    {
      name: "10 appends of 1,000 blocks of 800 characters, back to back",
      rows: 10_000,
      run: async () => backToBack(10, toggles, await newPage(ask)),
    },
    {
      name: "10 appends of 100 blocks of 900 characters, back to back",
      rows: 1_000,
      run: () => backToBack(10, paragraphs(100, "word ".repeat(180))),
    },
  ];
}

/** As many texts as a body of a megabyte takes. */
function manyTexts(): object[] {
  const rich_text = Array.from({ length: 100 }, () => ({ text: { content: "a" } }));
  const children = Array.from({ length: 4 }, () => ({ paragraph: { rich_text } }));
  return Array.from({ length: 100 }, () => ({ toggle: { rich_text: [], children } }));
}

/** A text of so many times 2,000 characters, in words that each have another spelling. */
function camelCase(count: number): object {
  const item = { text: { content: "aBc ".repeat(500) } };
  return { paragraph: { rich_text: Array.from({ length: count }, () => item) } };
}

/** A text of so many times 2,000 characters, few of which stand together twice. */
function ideographs(count: number): object {
  const character = (at: number) => String.fromCodePoint(0x4e00 + (at * at + at * 7_919) % 20_000);
  const texts = Array.from(
    { length: count },
    (_, n) => Array.from({ length: 2_000 }, (_, at) => character(2_000 * n + at)).join(""),
  );
  return { paragraph: { rich_text: texts.map((content) => ({ text: { content } })) } };
}

/** Rows of a table with a hundred texts in each of a hundred cells. */
function crowdedRows(): object[] {
  const cell = Array.from({ length: 100 }, () => ({ text: { content: "a" } }));
  const cells = Array.from({ length: 100 }, () => cell);
  return Array.from({ length: 4 }, () => ({ table_row: { cells } }));
}

/** The reply that shows best that one of several was refused. */
function worst(answers: readonly Answered[]): Answered {
  const none: Answered = { status: 0, size: 0, json: () => undefined };
  return answers.reduce((a, b) => b.status > a.status ? b : a, none);
}

/** Reads pages as Markdown that consist of characters to be escaped. */
async function printed(ask: Ask): Promise<Deed[]> {
  const deeds: Deed[] = [];
  for (const [name, character] of [["line ends", "\n"], ["`*`", "*"], ["`[`", "["]] as const) {
    const page = await newPage(ask);
    for (let n = 0; n < 4; n++) {
      await must(ask(`PATCH /v2/blocks/${page}/children`, {
        children: paragraphs(100, character.repeat(1_990)),
      }));
    }
    deeds.push({
      name: `content/markdown of 400 paragraphs of 2,000 ${name}`,
      run: () => ask(`GET /v2/pages/${page}/content/markdown`),
    });
  }
  return deeds;
}
