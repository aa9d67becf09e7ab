/**
 * Content that is written through one version is read through each other.
 *
 * @module
 */
import fc from "fast-check";
import { assertEquals, assertNotEquals } from "../assert.ts";
import { databaseIdOf, dataSourceIdOf } from "../../src/notion/data_source_ids.ts";
import { normalizeId } from "../../src/content/values/ids.ts";
import { type AnyJson, type NotionApp, V, VERSIONS, withNotion } from "./driver.ts";

const TEXT_TYPES = ["paragraph", "heading_2", "quote", "toggle", "callout", "bulleted_list_item"];

const version = fc.constantFrom(...VERSIONS);
const content = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .filter((text) => text.isWellFormed() && !text.includes("\0"));

interface Written {
  readonly type: string;
  readonly text: string;
  readonly children: readonly Written[];
}

const block: fc.Arbitrary<Written> = fc.record({
  type: fc.constantFrom(...TEXT_TYPES),
  text: content,
  children: fc.array(
    fc.record({
      type: fc.constantFrom(...TEXT_TYPES),
      text: content,
      children: fc.constant([]),
    }),
    { maxLength: 2 },
  ),
});

/** The name that a version has for the text of blocks. */
function textKey(of: string): string {
  return of <= "2021-08-16" ? "text" : "rich_text";
}

function toRequest({ type, text, children }: Written, of: string): object {
  const nested = type === "heading_2" ? [] : children.map((child) => toRequest(child, of));
  return {
    type,
    [type]: {
      [textKey(of)]: [{ type: "text", text: { content: text } }],
      ...(nested.length > 0 && { children: nested }),
    },
  };
}

/** The tree below a block as a version reads it, in the form in which it was written. */
async function readTree({ notion }: NotionApp, id: string, of: string): Promise<Written[]> {
  const { results } = await notion(`GET /blocks/${id}/children`, undefined, of);
  return await Promise.all(results.map(async (one: AnyJson) => ({
    type: one.type,
    text: one[one.type][textKey(of)].map((item: AnyJson) => item.plain_text).join(""),
    children: one.has_children ? await readTree({ notion } as NotionApp, one.id, of) : [],
  })));
}

function expected({ type, text, children }: Written): Written {
  return { type, text, children: type === "heading_2" ? [] : children.map(expected) };
}

Deno.test("blocks that one version writes are the blocks that every version reads", () =>
  withNotion(async (app) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(block, { minLength: 1, maxLength: 4 }),
        version,
        version,
        async (blocks, writing, reading) => {
          const page = await app.notion("POST /pages", {
            parent: { workspace: true },
            properties: { title: [{ text: { content: "x" } }] },
            children: blocks.map((one) => toRequest(one, writing)),
          }, writing);
          assertEquals(await readTree(app, page.id, reading), blocks.map(expected));
          // The first is rewritten through the reading version, and read through the writing one.
          const { results: [{ id, type }] } = await app.notion(`GET /blocks/${page.id}/children`);
          const [first = { type, text: "", children: [] }] = blocks;
          const text = [{ text: { content: `${first.text}!` } }];
          await app.notion(
            `PATCH /blocks/${id}`,
            { [type]: { [textKey(reading)]: text } },
            reading,
          );
          const again = await app.notion(`GET /blocks/${id}`, undefined, writing);
          assertEquals(again[type][textKey(writing)][0].plain_text, `${first.text}!`);
        },
      ),
      { numRuns: 30 },
    );
  }));

/** The database and data source with these properties, made through a version. */
async function newDatabase(app: NotionApp, of: string): Promise<AnyJson> {
  const page = await app.notion("POST /pages", {
    parent: { workspace: true },
    properties: { title: [{ text: { content: "x" } }] },
  });
  const properties = {
    Name: { title: {} },
    Note: { rich_text: {} },
    Count: { number: {} },
    Tags: { multi_select: { options: [{ name: "a" }, { name: "b" }] } },
    Done: { checkbox: {} },
  };
  const parent = { type: "page_id", page_id: page.id };
  const title = [{ text: { content: "Birds" } }];
  const body = of >= "2025-09-03"
    ? { parent, title, initial_data_source: { properties } }
    : { parent, title, properties };
  return await app.notion("POST /databases", body, of);
}

/** The route by which a version queries the rows of a database. */
function queryOf(id: string, of: string): string {
  return of >= "2025-09-03"
    ? `POST /data_sources/${dataSourceIdOf(id)}/query`
    : `POST /databases/${id}/query`;
}

Deno.test("rows that one version writes are found and read by every version", () =>
  withNotion(async (app) => {
    const row = fc.record({
      name: content,
      note: content,
      count: fc.option(fc.integer({ min: -1_000, max: 1_000 }), { nil: null }),
      done: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        row,
        version,
        version,
        version,
        async (written, making, writing, reading) => {
          const { id } = await newDatabase(app, making);
          const note = [{ text: { content: written.note } }];
          const parent = writing >= "2025-09-03"
            ? { type: "data_source_id", data_source_id: dataSourceIdOf(id) }
            : { database_id: id };
          await app.notion("POST /pages", {
            parent,
            properties: {
              Name: { title: [{ text: { content: written.name } }] },
              Note: writing === "2021-05-11" ? { text: note } : { rich_text: note },
              Count: { number: written.count },
              Done: { checkbox: written.done },
            },
          }, writing);
          const filter = { property: "Done", checkbox: { equals: written.done } };
          const { results: [found] } = await app.notion(queryOf(id, reading), { filter }, reading);
          const { Name, Note, Count, Done } = found.properties;
          assertEquals({
            name: Name.title[0].plain_text,
            note: Note[reading === "2021-05-11" ? "text" : "rich_text"][0].plain_text,
            count: reading <= "2021-05-13" && Count === undefined ? null : Count.number,
            done: Done.checkbox,
          }, written);
          assertEquals(found.parent.database_id, id);
        },
      ),
      { numRuns: 30 },
    );
  }));

Deno.test("a database that one version makes has the same properties in every version", () =>
  withNotion(async (app) => {
    for (const making of VERSIONS) {
      const { id } = await newDatabase(app, making);
      const { properties } = await app.notion(`GET /databases/${id}`, undefined, V);
      for (const reading of VERSIONS) {
        const path = reading >= "2025-09-03"
          ? `data_sources/${dataSourceIdOf(id)}`
          : `databases/${id}`;
        const read = await app.notion(`GET /${path}`, undefined, reading);
        assertEquals(read.properties, properties, `${making} to ${reading}`);
      }
    }
  }));

Deno.test("the ID of a data source leads back to its database, and is another ID", () => {
  fc.assert(fc.property(fc.uuid(), (id) => {
    const source = dataSourceIdOf(id);
    assertEquals(databaseIdOf(source), id);
    assertNotEquals(source, id);
    assertEquals(source[14], id[14], "the version of the UUID stays");
    assertEquals(dataSourceIdOf(id.replaceAll("-", "").toUpperCase()), source);
    assertEquals(normalizeId(source), source);
  }));
});
