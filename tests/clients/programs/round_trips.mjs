// What is written through the SDK of one version is read through the SDKs of all others.
import { everyBlock, everyProperty, everyValue } from "./content.mjs";
import { openSdk, walk } from "./dialect.mjs";
import { assert, finish, plain, request, seed, step, title } from "./lib.mjs";

const NAMED_TEXT = "2021-08-16";
const FLAT_RELATION = "2022-02-22";
const OMITS_EMPTY = "2021-05-13";

const sdks = await Promise.all([
  openSdk(0, OMITS_EMPTY),
  openSdk(0),
  openSdk(1),
  openSdk(2),
  openSdk(3),
  openSdk(4),
  openSdk(5),
  openSdk(5, "2026-03-11"),
]);
const root = await request("POST", "/v1/pages", {
  parent: { page_id: seed.root },
  properties: { title: title("Round trips") },
});

/** Blocks as the version of an SDK writes them: before 2022, texts have another name. */
function blocksFor({ version }, blocks) {
  if (version > NAMED_TEXT) return blocks;
  return blocks.map((block) => {
    const [[type, { rich_text, children, ...rest }]] = Object.entries(block);
    return {
      [type]: {
        ...rest,
        ...(rich_text && { text: rich_text }),
        ...(children && { children: blocksFor({ version }, children) }),
      },
    };
  });
}

/** The members of a block that every version tells, as 2022-06-28 names them. */
function commonBlock({ version }, block) {
  const { text, rich_text, icon, ...others } = block[block.type];
  // Paragraphs have an icon in later versions.
  const rest = block.type === "paragraph" ? others : { ...others, icon };
  assert.equal(text === undefined || version <= NAMED_TEXT, true, "text after 2021");
  assert.equal(rich_text === undefined || version > NAMED_TEXT, true, "rich_text before 2022");
  const texts = rich_text ?? text;
  return {
    id: block.id,
    type: block.type,
    content: { ...rest, ...(texts && { texts }) },
    children: block.children.map((child) => commonBlock({ version }, child)),
  };
}

function relationFor({ version, hasSources }, related) {
  if (version <= FLAT_RELATION) return { database_id: related.id };
  const target = hasSources ? { data_source_id: related.source } : { database_id: related.id };
  return { ...target, type: "dual_property", dual_property: {} };
}

/** Writes a page of every block, and a row with every property in a database of its own. */
async function write(sdk) {
  const { client } = sdk;
  const parent = { type: "page_id", page_id: root.id };
  const page = await client.pages.create({
    parent,
    properties: { title: title(`By ${sdk.name}`) },
    children: [],
  });
  const blocks = everyBlock({ page: seed.linked, person: seed.me });
  await sdk.append(page.id, blocksFor(sdk, blocks));
  const related = await sdk.createDatabase(parent, "Related", {
    Name: { title: {} },
    Cost: { number: {} },
  });
  const cost = await client.pages.create({
    parent: sdk.rowParent(related.source),
    properties: { Name: title("one"), Cost: { number: 3 } },
  });
  const properties = everyProperty(related.id);
  properties.Related.relation = relationFor(sdk, related);
  const database = await sdk.createDatabase(parent, "Rows", properties);
  const row = await client.pages.create({
    parent: sdk.rowParent(database.source),
    properties: everyValue("The row", { person: seed.me, related: [cost.id] }),
  });
  const empty = await client.pages.create({
    parent: sdk.rowParent(database.source),
    properties: { Name: title("The empty row") },
  });
  return {
    page: page.id,
    database: database.id,
    related: related.id,
    row: row.id,
    empty: empty.id,
  };
}

const isEmpty = (value) => value === null || (Array.isArray(value) && value.length === 0);

/** What an SDK reads of that, in one form for all versions. */
async function read(sdk, { page, database, row, empty }) {
  const { client, version } = sdk;
  const source = await sdk.sourceOf(database);
  const schema = (await sdk.schemaOf(source)).properties;
  const { results } = await sdk.query(source, {
    filter: { property: "Number", number: { equals: 7 } },
  });
  const values = (await client.pages.retrieve({ page_id: row })).properties;
  const blanks = (await client.pages.retrieve({ page_id: empty })).properties;
  assert.equal("Number" in blanks, version > OMITS_EMPTY);
  return {
    blocks: (await walk(client, page)).map((block) => commonBlock(sdk, block)),
    found: results.map(({ id }) => id),
    values: sorted(values),
    blanks: Object.entries(blanks)
      .filter(([, property]) => !isEmpty(property[property.type]))
      .map(([name]) => name)
      .sort(),
    schema: Object.entries(schema).map(([name, property]) => [name, property.type]).sort(),
    relation: schema.Related.relation.database_id,
    title: plain(values.Name.title),
  };
}

/** Entries by name, without the ids of properties, which older versions spell another way. */
function sorted(properties) {
  return Object.entries(properties)
    .map(([name, { id: _id, ...value }]) => [name, value])
    .sort(([a], [b]) => a < b ? -1 : 1);
}

for (const writer of sdks) {
  let written;
  await step("Round trips between versions", `written by ${writer.name}`, async () => {
    written = await write(writer);
  });
  if (!written) continue;
  const expected = await read(sdks[5], written);
  for (const reader of sdks) {
    const operation = `written by ${writer.name}, read by ${reader.name}`;
    await step("Round trips between versions", operation, async () => {
      const found = await read(reader, written);
      assert.deepEqual(found, expected);
      assert.equal(found.relation, written.related);
      assert.deepEqual(found.found, [written.row]);
      assert.equal(found.title, "The row");
    });
  }
}

await request("PATCH", `/v1/pages/${root.id}`, { archived: true });
finish();
