import {
  appendInput,
  appendIssues,
  appendPlace,
  blockIssues,
  takesChildren,
} from "../../src/content/blocks/mod.ts";
import { BLOCK_TYPES } from "../../src/content/blocks/types.ts";
import { LIMITS } from "../../src/content/values/limits.ts";
import { assert, assertEquals } from "../assert.ts";
import { PAGE, parsed, refusals, resolve, viewed } from "./blocks_helpers.ts";
import { given, ID } from "./blocks_samples.ts";

const divider = { divider: {} };
const column = { column: { children: [divider] } };

function row(cells: number): unknown {
  return { table_row: { cells: Array.from({ length: cells }, () => given) } };
}

/** The pointers of all issues; each must lead to a value in the input. */
function places(children: readonly unknown[]): string[] {
  return blockIssues(parsed(children), "/children").map(({ pointer }) => {
    resolve({ children }, pointer);
    return pointer;
  });
}

function details(children: readonly unknown[]): string[] {
  return blockIssues(parsed(children), "/children").map((issue) => issue.detail);
}

Deno.test("blockIssues() accepts blocks in valid places", () => {
  const table = { table_width: 2, children: [row(2), row(2)] };
  const heading = { rich_text: [], is_toggleable: true, children: [divider] };
  const all = [{ table }, { heading_1: heading }, { column_list: { children: [column, column] } }];
  assertEquals(places(all), []);
});

Deno.test("blockIssues() counts the cells of each row", () => {
  const table = { table_width: 2, children: [row(1), row(2), row(3)] };
  assertEquals(places([divider, { table }]), [
    "/children/1/table/children/0/table_row/cells",
    "/children/1/table/children/2/table_row/cells",
  ]);
  assertEquals(details([{ table: { table_width: 2, children: [{ table_row: { cells: [] } }] } }]), [
    "body failed validation: body.children[0].table.children[0].table_row.cells should be " +
    "an array of `2` cells, the width of the table, instead was `[]`.",
  ]);
});

Deno.test("blockIssues() allows rows only in tables and columns only in column lists", () => {
  assertEquals(places([row(1)]), ["/children/0/table_row"]);
  const nested = { column: { children: [column] } };
  assertEquals(places([{ column_list: { children: [column, nested] } }]), [
    "/children/0/column_list/children/1/column/children/0/column",
  ]);
  assertEquals(details([column]), [
    "body failed validation: body.children[0].column should be neither a `table_row` nor a " +
    '`column`, instead was `"column"`.',
  ]);
});

Deno.test("blockIssues() allows children only in toggleable headings", () => {
  for (const type of ["heading_1", "heading_2", "heading_3"]) {
    const heading = { rich_text: [], children: [divider] };
    assertEquals(places([{ [type]: heading }]), [`/children/0/${type}/children`]);
    assertEquals(places([{ [type]: { ...heading, children: [] } }]), []);
  }
  assertEquals(details([{ heading_1: { rich_text: [], children: [divider] } }]), [
    "body failed validation: body.children[0].heading_1.children should be not present, as " +
    '`is_toggleable` is not true, instead was `[{"divider":{}}]`.',
  ]);
});

Deno.test("blockIssues() rejects children of a copy of a synced block", () => {
  const copy = { synced_from: { block_id: ID }, children: [divider] };
  assertEquals(places([{ synced_block: copy }]), ["/children/0/synced_block/children"]);
  assertEquals(places([{ synced_block: { ...copy, synced_from: null } }]), []);
});

Deno.test("blockIssues() explains why a type cannot be created", () => {
  const types = ["template", "child_page", "child_database", "link_preview", "unsupported"];
  for (const type of types) assertEquals(places([{ [type]: {} }]), [`/children/0/${type}`]);
  assertEquals(details([{ child_page: { title: "x" } }, { type: "unsupported" }]), [
    "Can't create a block of type child_page: a page is created with POST /v2/pages.",
    "Can't create a block of type unsupported: it is read only.",
  ]);
});

Deno.test("blockIssues() ignores the content of a type that cannot be created", () => {
  for (const value of [null, 1, "x", [], { children: "abc" }, { children: [1] }]) {
    assertEquals(places([{ template: value }]), ["/children/0/template"]);
  }
});

Deno.test("blockIssues() includes the issues of texts and icons", () => {
  const badDay = [{ mention: { date: { start: "2023-02-29" } } }];
  assertEquals(
    places([
      { paragraph: { rich_text: badDay } },
      { code: { rich_text: badDay, language: "c", caption: badDay } },
      { table: { table_width: 1, children: [{ table_row: { cells: [badDay] } }] } },
      { callout: { rich_text: [], icon: { emoji: "no" } } },
    ]),
    [
      "/children/0/paragraph/rich_text/0/mention/date/start",
      "/children/1/code/rich_text/0/mention/date/start",
      "/children/1/code/caption/0/mention/date/start",
      "/children/2/table/children/0/table_row/cells/0/0/mention/date/start",
      "/children/3/callout/icon/emoji",
    ],
  );
});

Deno.test("blockIssues() counts the blocks of all levels", () => {
  const most = Array.from({ length: LIMITS.array }, () => ({
    quote: { rich_text: [], children: Array.from({ length: 49 }, () => divider) },
  }));
  assertEquals(places(most), []);
  const [first, ...others] = most;
  const more = { quote: { rich_text: [], children: [...first?.quote.children ?? [], divider] } };
  assertEquals(details([more, ...others]), [
    "body failed validation: body.children should be at most `5000` blocks in all, instead was " +
    "`5001`.",
  ]);
});

Deno.test("takesChildren() rejects types without children, and headings and copies by their value", () => {
  const none = Object.entries(BLOCK_TYPES)
    .filter(([type]) => takesChildren(type, '{"is_toggleable":true}') !== undefined)
    .map(([type]) => type);
  assertEquals(none, [
    "code",
    "equation",
    "divider",
    "breadcrumb",
    "table_of_contents",
    "bookmark",
    "embed",
    "image",
    "video",
    "pdf",
    "audio",
    "file",
    "table_row",
    "link_to_page",
    "child_database",
    "link_preview",
    "unsupported",
  ]);
  assertEquals(takesChildren("heading_1", '{"is_toggleable":false}') !== undefined, true);
  assertEquals(takesChildren("synced_block", '{"synced_from":null}'), undefined);
  assertEquals(takesChildren("synced_block", '{"synced_from":{}}') !== undefined, true);
});

/** Returns the places of the faults in an append of these children to this block. */
function appended(parent: unknown, children: readonly unknown[]): string[] {
  const body = { children: parsed(children) };
  return appendIssues(viewed(parent), body).map((issue) => issue.pointer);
}

Deno.test("appendIssues() rejects children of blocks that can have none", () => {
  assertEquals(appended({ divider: {} }, [divider]), ["/children"]);
  assertEquals(appended({ heading_1: { rich_text: [] } }, [divider]), ["/children"]);
  assertEquals(appended({ heading_1: { rich_text: [], is_toggleable: true } }, [divider]), []);
});

Deno.test("appendIssues() accepts rows of the right width in a table and columns in a column list", () => {
  const table = { table: { table_width: 2, children: [row(2)] } };
  assertEquals(appended(table, [row(2)]), []);
  assertEquals(appended(table, [row(3), divider]), [
    "/children/0/table_row/cells",
    "/children/1/divider",
  ]);
  const list = { column_list: { children: [column, column] } };
  assertEquals(appended(list, [column]), []);
  assertEquals(appended(list, [divider]), ["/children/0/divider"]);
  assertEquals(appended({ quote: { rich_text: [] } }, [column]), ["/children/0/column"]);
});

Deno.test("appendIssues() rejects two positions and accepts any block in a page", () => {
  const page = { type: "child_page", doc: "{}" };
  const body = { children: parsed([divider]), after: ID, position: { type: "end" } } as const;
  assertEquals(appendIssues(page, body).map((issue) => issue.pointer), ["/position"]);
  assertEquals(appendIssues(page, { children: body.children }), []);
});

Deno.test("appendPlace() is the end by default", () => {
  const children = parsed([divider]);
  const loose = ID.replaceAll("-", "").toUpperCase();
  assertEquals(appendPlace({ children }), "end");
  assertEquals(appendPlace({ children, position: { type: "start" } }), "start");
  assertEquals(appendPlace({ children, position: { type: "end" } }), "end");
  assertEquals(appendPlace({ children, after: loose }), { after: ID });
  const position = { type: "after_block", after_block: { id: loose } } as const;
  assertEquals(appendPlace({ children, position }), { after: ID });
});

Deno.test("appendInput accepts one to a hundred children", () => {
  assertEquals(refusals(appendInput, { children: [] }), ["children: >=1"]);
  const many = Array.from({ length: 101 }, () => divider);
  assertEquals(refusals(appendInput, { children: many }), ["children: <=100"]);
  assertEquals(refusals(appendInput, {}), ['children: "children"']);
  const [refusal = ""] = refusals(appendInput, { children: [divider], after: "nope" });
  assert(refusal.startsWith("after: "), refusal);
  assertEquals(refusals(appendInput, { children: [divider], parent: PAGE }), ["parent: never"]);
});
