/**
 * The heaviest requests of `/v1` in versions of the wire format that are translated.
 *
 * @module
 */
import { dataSourceIdOf } from "../../../src/notion/data_source_ids.ts";
import type { Deed } from "./deeds.ts";
import { must, newPage, type Paragraph, paragraphs, WORDS } from "./requests.ts";
import type { Answered, Service } from "./service.ts";
import { ROOT } from "./workspace.ts";

/** The version with the most steps to that of `/v2`, and the last one with `text` in blocks. */
const OLDEST = "2021-05-11";
const TEXT_IN_BLOCKS = "2021-08-16";
const NEWEST = "2026-03-11";
/** Properties of a row whose reply has 16 kB. */
const COLUMNS = Array.from({ length: 50 }, (_, n) => `Text ${n}`);
/** Rows, blocks and items of a text, as many as a request may have. */
const MOST = 100;
/** A word that the titles of the rows alone have. */
const RARE = "translated";

/** Creates rows and pages, and returns the requests that read and write them. */
export async function wireVersions(service: Service): Promise<Deed[]> {
  const database = await createRows(service);
  const source = dataSourceIdOf(database);
  const page = await createBlocks(service);
  const read = (name: string, version: string, route: string, body?: object): Deed => ({
    name: `v1: ${name}, ${version}`,
    run: () => send(service, { version, route, body }),
  });
  const search = { query: RARE, page_size: MOST };
  return [
    read("query of 100 rows of 16 kB", OLDEST, `POST /v1/databases/${database}/query`, {}),
    read("query of 100 rows of 16 kB", NEWEST, `POST /v1/data_sources/${source}/query`, {}),
    read("100 children of 25 kB", OLDEST, `GET /v1/blocks/${page}/children`),
    read("100 children of 25 kB", NEWEST, `GET /v1/blocks/${page}/children`),
    read("search that finds 100 rows of 16 kB", OLDEST, "POST /v1/search", search),
    read("search that finds 100 rows of 16 kB", NEWEST, "POST /v1/search", search),
    ...largestBodies(service),
    ...await markdownEdits(service),
  ];
}

interface Sent {
  readonly version: string;
  readonly route: string;
  readonly body: object | undefined;
}

function send({ ask }: Service, { version, route, body }: Sent): Promise<Answered> {
  return ask(route, body, { "notion-version": version });
}

async function createRows({ ask }: Service): Promise<string> {
  const texts = COLUMNS.map((name) => [name, { rich_text: {} }]);
  const created = await must(ask("POST /v2/databases", {
    parent: { page_id: ROOT },
    title: [],
    properties: { Name: { title: {} }, ...Object.fromEntries(texts) },
  }));
  const database: string = created.json().id;
  const values = COLUMNS.map((name) => [name, { rich_text: [{ text: { content: WORDS } }] }]);
  const line = JSON.stringify({
    parent: { database_id: database },
    properties: {
      Name: { title: [{ text: { content: RARE } }] },
      ...Object.fromEntries(values),
    },
  });
  const lines = Array.from({ length: MOST }, () => line).join("\n");
  await must(ask("POST /v2/pages", lines, { "content-type": "application/jsonl" }));
  return database;
}

/** Creates a page with blocks of as many items as a text may have. */
async function createBlocks({ ask }: Service): Promise<string> {
  const page = await newPage(ask);
  const rich_text = Array.from({ length: MOST }, (_, n) => ({
    text: { content: String(n) },
    annotations: { bold: n % 2 === 0 },
  }));
  const children = Array.from({ length: MOST }, () => ({ paragraph: { rich_text } }));
  await must(ask(`PATCH /v2/blocks/${page}/children`, { children }));
  return page;
}

/** Creates pages with bodies of almost 1 MiB. */
function largestBodies(service: Service): Deed[] {
  const content = { text: [{ text: { content: WORDS } }] };
  const inside = paragraphs(70, WORDS.repeat(3).slice(0, 120));
  const create = (name: string, version: string, children: object[]): Deed => ({
    name: `v1: page with ${name}, ${version}`,
    run: () =>
      send(service, {
        version,
        route: "POST /v1/pages",
        body: { parent: { page_id: ROOT }, properties: { title: [] }, children },
      }),
  });
  const toggles = Array.from({ length: 70 }, () => inside);
  return [
    create(
      "4,970 blocks in 1 MB",
      NEWEST,
      toggles.map((children) => ({ toggle: { rich_text: content.text, children } })),
    ),
    create(
      "4,970 blocks in 1 MB",
      TEXT_IN_BLOCKS,
      toggles.map((children) => ({ toggle: { ...content, children: children.map(withText) } })),
    ),
  ];
}

/** The block with the name that its text had in old versions. */
function withText({ paragraph }: Paragraph): object {
  return { paragraph: { text: paragraph.rich_text } };
}

async function markdownEdits(service: Service): Promise<Deed[]> {
  const markdown = Array.from({ length: 2_000 }, (_, n) => `${n} ${WORDS.repeat(4)}`).join("\n\n");
  const page = await newPage(service.ask, { markdown });
  const edit = (name: string, version: string, body: object): Deed => ({
    name: `v1: ${name} in 370 kB of Markdown, ${version}`,
    run: () => send(service, { version, route: `PATCH /v1/pages/${page}/markdown`, body }),
  });
  const word = { old_str: "fox", new_str: "dog", replace_all_matches: true };
  return [
    edit("a paragraph more", OLDEST, {
      type: "insert_content",
      insert_content: { content: "The end." },
    }),
    edit("a word everywhere", NEWEST, {
      type: "update_content",
      update_content: { content_updates: [word] },
    }),
  ];
}
