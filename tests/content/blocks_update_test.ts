import * as v from "valibot";
import { AppError, type ValidationIssue } from "../../src/shared/errors.ts";
import { blockUpdateInput, editBlock } from "../../src/content/blocks/mod.ts";
import type { NodeView } from "../../src/content/schema/node.ts";
import { assertEquals, assertThrows } from "../assert.ts";
import { PAGE, refusals, viewed } from "./blocks_helpers.ts";
import { given, ID, read, SAMPLES } from "./blocks_samples.ts";

const divider = { divider: {} };
const url = "https://example.org/b.png";

function edited(node: NodeView, body: unknown): unknown {
  return JSON.parse(editBlock(node, v.parse(blockUpdateInput, body)).doc);
}

function issues(node: NodeView, body: unknown): ValidationIssue[] {
  const edit = (): unknown => edited(node, body);
  // The members of a validation error have its issues.
  return assertThrows(edit, AppError).members.errors as ValidationIssue[];
}

function pointers(node: NodeView, body: unknown): string[] {
  return issues(node, body).map((issue) => issue.pointer);
}

// Two types cannot be updated, and a row keeps its number of cells.
const SPECIAL = ["column_list", "synced_block", "table_row"];

for (const [type, { least, most }] of Object.entries(SAMPLES)) {
  if (SPECIAL.includes(type)) continue;
  Deno.test(`editBlock() replaces the given members of a ${type} and keeps the others`, () => {
    const node = viewed({ [type]: least.given });
    assertEquals(edited(node, { type, [type]: {} }), least.read);
    const { children: _children, table_width: _width, ...given } = most.given;
    assertEquals(edited(node, { [type]: given }), most.read);
  });
}

Deno.test("editBlock() replaces one member and keeps another", () => {
  const node = viewed({ to_do: { rich_text: given, checked: true, color: "red" } });
  assertEquals(edited(node, { to_do: { color: "blue" } }), {
    rich_text: read,
    color: "blue",
    checked: true,
  });
});

Deno.test("editBlock() does not change a block without new members", () => {
  const node = viewed({ quote: { rich_text: given } });
  const { doc, hasMentions } = node;
  assertEquals(editBlock(node, { in_trash: true }), { doc, hasMentions });
});

Deno.test("editBlock() detects added and removed mentions", () => {
  const mention = [{ mention: { page: { id: PAGE } } }];
  const node = viewed({ bookmark: { url, caption: mention } });
  assertEquals(editBlock(node, { bookmark: { url: "x" } }).hasMentions, true);
  assertEquals(editBlock(node, { bookmark: { caption: [] } }).hasMentions, false);
});

Deno.test("editBlock() rejects another type, by key or by name", () => {
  const node = viewed({ quote: { rich_text: [] } });
  assertEquals(pointers(node, { type: "toggle", paragraph: {} }), ["/type", "/paragraph"]);
  const [issue] = issues(node, { paragraph: {} });
  assertEquals(
    issue?.detail,
    "body failed validation: body.paragraph should be not present, as the block is of type " +
      '"quote", instead was `{}`.',
  );
});

Deno.test("editBlock() explains why a type cannot be updated", () => {
  const children = [{ column: { children: [divider] } }, { column: { children: [divider] } }];
  const list = viewed({ column_list: { children } });
  assertEquals(pointers(list, { column_list: {} }), ["/column_list"]);
  const synced = viewed({ synced_block: {} });
  assertEquals(issues(synced, { synced_block: { synced_from: { block_id: ID } } }), [{
    pointer: "/synced_block",
    detail: "Can't update a block of type synced_block: what it is synced from cannot be changed.",
  }]);
  const page: NodeView = { ...synced, kind: "page", type: "child_page", doc: "{}" };
  assertEquals(issues(page, { child_page: { title: "x" } }), [{
    pointer: "/child_page",
    detail:
      "Can't update a block of type child_page: a page is updated with PATCH /v2/pages/:page_id.",
  }]);
  assertEquals(edited(page, { archived: true }), {});
});

Deno.test("editBlock() keeps a heading toggleable while it has children", () => {
  const heading = { heading_2: { rich_text: [], is_toggleable: true } };
  const body = { heading_2: { is_toggleable: false } };
  assertEquals(pointers(viewed(heading, true), body), ["/heading_2/is_toggleable"]);
  assertEquals(edited(viewed(heading, false), body), {
    rich_text: [],
    color: "default",
    is_toggleable: false,
  });
});

Deno.test("editBlock() keeps the number of a row's cells", () => {
  const node = viewed({ table_row: { cells: [[], []] } });
  assertEquals(pointers(node, { table_row: { cells: [given] } }), ["/table_row/cells"]);
  assertEquals(edited(node, { table_row: { cells: [given, []] } }), { cells: [read, []] });
});

Deno.test("editBlock() replaces the source of a file and the target of a link, but not by two at once", () => {
  const image = viewed({ image: { external: { url: "https://a.example" }, caption: given } });
  const external = { url };
  assertEquals(edited(image, { image: { external } }), {
    type: "external",
    external,
    caption: read,
  });
  const file = { upload: ID };
  const hosted = { type: "file", file, caption: read };
  assertEquals(edited(image, { image: { file_upload: { id: ID } } }), hosted);
  const both = { external, file_upload: { id: ID } };
  assertEquals(pointers(image, { image: both }), ["/image/file_upload"]);
  assertEquals(pointers(image, { image: { type: "file_upload", external } }), ["/image/type"]);
  const link = viewed({ link_to_page: { page_id: PAGE } });
  assertEquals(edited(link, { link_to_page: { database_id: ID } }), {
    type: "database_id",
    database_id: ID,
  });
});

Deno.test("editBlock() includes the issues of the given members", () => {
  const rich_text = [{ mention: { date: { start: "2023-02-29" } } }];
  assertEquals(pointers(viewed({ quote: { rich_text: [] } }), { quote: { rich_text } }), [
    "/quote/rich_text/0/mention/date/start",
  ]);
});

Deno.test("blockUpdateInput rejects children, a table's width and unknown keys", () => {
  assertEquals(refusals(blockUpdateInput, { quote: { children: [] } }), ["quote.children: never"]);
  assertEquals(refusals(blockUpdateInput, { table: { table_width: 1 } }), [
    "table.table_width: never",
  ]);
  assertEquals(refusals(blockUpdateInput, { nope: 1 }), ["nope: never"]);
  assertEquals(refusals(blockUpdateInput, { archived: "yes" }), ["archived: boolean"]);
});
