/**
 * Requests as a client means them: a path and a body for every operation of the document, drawn from its
 * schemas, taken from its examples, or written here where members depend on what is there.
 *
 * @module
 */
import fc from "fast-check";
import { valueSamples } from "../api/value_samples.ts";
import { SAMPLES } from "../content/blocks_samples.ts";
import { isSchema, membersOf } from "../../src/cli/openapi/walk.ts";
import { drawFrom } from "../openapi/arbitrary.ts";
import type { Contract, Operation } from "../support/contract.ts";
import type { World } from "./world.ts";

/** With slots for what is known only when it is sent. */
export interface Draft {
  readonly operation: Operation;
  readonly path: string;
  /** Fields besides those that every request has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Undefined where the operation takes none. */
  readonly body: unknown;
}

type Any = fc.Arbitrary<unknown>;
type Draw = (name: string) => Any;

/** A body, and the object that it is meant for. */
interface Meant {
  readonly body: unknown;
  /** The slot that the path names; any that the operation takes where it is undefined. */
  readonly of?: string;
}

const IDS = ["<page>", "<row>", "<block>", "<database>", "<user>", "<home>", "<table>"];
const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Columns of databases that are made and changed besides the one of every type. */
const COLUMNS = [
  ...["rich_text", "number", "date", "people", "files", "checkbox", "url", "email", "status"],
  ...["phone_number", "created_time", "last_edited_by", "unique_id", "select", "multi_select"],
].map((type) => ({ [type]: {} }));

export const MARKDOWN = ["# a\n\n- b\n  - c", "| a |\n|---|\n| b |", "$x$ **b** `c`\n\n---\n"];

/** Drafts of every operation, those with a body more often. */
export function draftsOf(contract: Contract, world: World): fc.Arbitrary<Draft> {
  const sources = sourcesOf(contract, world);
  return fc.oneof(...contract.operations.map((operation) => ({
    weight: weightOf(operation),
    arbitrary: draftOf(operation, sources),
  })));
}

/** The sources of bodies of the document's operations. */
export function sourcesOf({ schemas }: Contract, world: World): Sources {
  const names = Object.keys(world.types.database.properties);
  const draw = drawFrom(schemas, { ids: IDS, names });
  return { draw, written: writtenBodies(draw, schemas, world) };
}

/** How often an operation is drawn, next to others. */
export function weightOf({ method, operationId }: Operation): number {
  if (method === "DELETE" || operationId.startsWith("getOpenapi")) return 1;
  return method === "GET" ? 3 : 8;
}

type Written = Readonly<Record<string, fc.Arbitrary<Meant>>>;

export interface Sources {
  readonly draw: Draw;
  readonly written: Written;
}

/** Drafts of one operation. */
export function draftOf(operation: Operation, { draw, written }: Sources): fc.Arbitrary<Draft> {
  const { operationId, template } = operation;
  const content = Object(operation.value["requestBody"]).content?.["application/json"];
  if (content === undefined) {
    return pathOf(template).map((path) => ({ operation, path, body: undefined }));
  }
  const example = JSON.parse(JSON.stringify(content.examples.usual.value).replaceAll(ID, "<home>"));
  const meant = fc.oneof(
    { weight: 1, arbitrary: fc.constant<Meant>({ body: example }) },
    { weight: 3, arbitrary: draw(content.schema.$ref.split("/").at(-1)).map(anywhere) },
    { weight: 9, arbitrary: written[operationId] ?? fc.constant<Meant>({ body: example }) },
  );
  return fc.tuple(meant, pathOf(template)).map(([{ body, of }, path]) => ({
    operation,
    path: of === undefined ? path : template.replace(/\{\w+\}/, of),
    body,
  }));
}

function anywhere(body: unknown): Meant {
  return { body };
}

const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  page_id: ["<page>", "<row>"],
  database_id: ["<database>", "<table>"],
  block_id: ["<block>", "<page>", "<row>"],
  user_id: ["me", "<user>"],
  data_source_id: ["<data_source>", "<source>"],
  comment_id: ["<comment>"],
  file_upload_id: ["<file_upload>"],
  property_id: ["<property>", "title", "number", "formula", "relation", "people"],
};

/** Paths of a template. */
export function pathOf(template: string): fc.Arbitrary<string> {
  const parts = template.split(/(?<=\})|(?=\{)/);
  // The database of every type stays as it is.
  const deletable = /\{(database|data_source)_id\}$/.exec(template)?.[1];
  return fc.tuple(...parts.map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return fc.constant(part);
    const slots = deletable === undefined ? PARAMETERS[name] ?? ["<block>"] : [`<${deletable}>`];
    return fc.constantFrom(...slots);
  })).map((filled) => filled.join(""));
}

/** Bodies that mean something, by operation. */
function writtenBodies(draw: Draw, schemas: Contract["schemas"], { types }: World): Written {
  const values = Object.entries(valueSamples(types))
    .flatMap(([type, { values }]) => values.map(([given]) => ({ [type]: { [type]: given } })))
    .map((value) => "title" in value ? { Name: value["title"] } : value);
  const row = fc.subarray(values, { minLength: 1, maxLength: 4 })
    .map((chosen) => Object.assign({}, ...chosen));
  const block = fc.constantFrom(
    ...Object.entries(SAMPLES).flatMap(([type, { least, most }]) =>
      [least, most].map(({ given }) => ({ [type]: given }))
    ),
  );
  const blocks = fc.array(fc.oneof(block, draw("ParagraphBlockInput")), { maxLength: 3 });
  const title = draw("RichTextItemInputText").map((item) => [item]);
  const columns = fc.array(fc.tuple(fc.constantFrom("A", "B", "C"), fc.constantFrom(...COLUMNS)))
    .map((entries) => Object.fromEntries(entries));
  const query = fc.string({ maxLength: 20 });
  return {
    createPage: fc.oneof(
      row.map((properties) => ({ parent: { database_id: "<table>" }, properties })),
      fc.record({
        parent: fc.constantFrom({ page_id: "<home>" }, { workspace: true }, { page_id: "<page>" }),
        properties: fc.record({ title }),
        children: blocks,
      }),
      fc.constantFrom(...MARKDOWN).map((markdown) => ({
        parent: { page_id: "<home>" },
        properties: {},
        markdown,
      })),
    ).map(anywhere),
    updatePage: fc.oneof(
      row.map((properties) => ({ body: { properties }, of: "<row>" })),
      draw("IconInput").map((icon) => anywhere({ icon })),
      fc.constant({ body: { in_trash: false }, of: "<trashed>" }),
    ),
    appendBlockChildren: blocks.filter(({ length }) => length > 0)
      .map((children) => ({ body: { children }, of: "<page>" })),
    updateBlock: blockChanges(draw, schemas),
    createDatabase: fc.record({
      parent: fc.constantFrom({ page_id: "<home>" }, { workspace: true }),
      title,
      properties: columns.map((more) => ({ Name: { title: {} }, ...more })),
    }).map(anywhere),
    updateDatabase: fc.oneof(
      columns.map((properties) => anywhere({ properties })),
      title.map((title) => anywhere({ title })),
      fc.constant({ body: { in_trash: false }, of: "<trashed>" }),
    ),
    queryDatabase: queries(draw, schemas).map((body) => ({ body, of: "<table>" })),
    search: fc.record({ query, page_size: fc.integer({ min: 0, max: 100 }) }).map(anywhere),
    searchByMeaning: fc.record({ query: query.filter((words) => /\w/.test(words)) }).map(anywhere),
  };
}

/** Queries of the database of every type, whose properties are named as their types are. */
function queries(draw: Draw, schemas: Contract["schemas"]): Any {
  const conditions = Object.keys(schemas).filter((name) => /^Filter\w+Property$/.test(name))
    .map((name) => draw(name).map(onItsType));
  const condition = fc.oneof(...conditions);
  const filter = fc.oneof(
    { weight: 3, arbitrary: condition },
    { weight: 1, arbitrary: fc.array(condition, { maxLength: 4 }).map((and) => ({ and })) },
    { weight: 1, arbitrary: fc.array(condition, { maxLength: 4 }).map((or) => ({ or })) },
  );
  const sort = fc.record({
    property: fc.constantFrom("Name", ...COLUMNS.flatMap((column) => Object.keys(column))),
    direction: fc.constantFrom("ascending", "descending"),
  });
  return fc.record(
    {
      filter,
      sorts: fc.uniqueArray(sort, { maxLength: 2, selector: ({ property }) => property }),
      page_size: fc.integer({ min: 0, max: 100 }),
    },
    { requiredKeys: [] },
  );
}

function onItsType(condition: unknown): unknown {
  const { property: _, ...rest } = Object(condition);
  const type = Object.keys(rest).find((key) => key !== "type");
  return { ...rest, property: type === "title" ? "Name" : type };
}

/** Changes of blocks, each for a block of its type. */
function blockChanges(draw: Draw, { BlockUpdateInput }: Contract["schemas"]): fc.Arbitrary<Meant> {
  if (!isSchema(BlockUpdateInput)) throw new Error("The document has no BlockUpdateInput");
  const words = draw("RichTextItemInputText").map((item) => [item]);
  const usual = new Map<string, Any>(Object.entries({
    rich_text: words,
    caption: words,
    color: draw("Color"),
    checked: fc.boolean(),
    is_toggleable: fc.boolean(),
    has_column_header: fc.boolean(),
    has_row_header: fc.boolean(),
    url: fc.webUrl(),
    expression: fc.constantFrom("x^2", "e"),
    language: fc.constantFrom("plain text", "rust"),
    external: fc.constant({ url: "https://files.test/a.png" }),
  }));
  const types = [...membersOf(BlockUpdateInput)].filter(([type]) => type in SAMPLES);
  return fc.oneof(...types.map(([type, schema]) => {
    const known = [...usual].filter(([name]) => membersOf(schema).has(name));
    return fc.record(Object.fromEntries(known), { requiredKeys: [] })
      .map((value) => ({ body: { [type]: value }, of: `<block:${type}>` }));
  }));
}
