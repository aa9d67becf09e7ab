import * as v from "valibot";
import type { Node } from "../../src/content/schema/node.ts";
import { newPage } from "../../src/content/pages/pages.ts";
import { pageParentInput, parent, parentJson, toParent } from "../../src/content/schema/parents.ts";
import { assert, assertEquals } from "../assert.ts";

const ID = "00000000-0000-4000-8000-00000000000a";

const PAGE: Node = newPage({
  input: { parent: { workspace: true }, properties: {} },
  id: ID,
  parent: { kind: "workspace", id: null },
  position: "a0",
  edit: { time: 0, by: ID },
});

Deno.test("toParent() reads every kind of parent, with and without its type", () => {
  assertEquals(toParent({ page_id: ID.toUpperCase() }), { kind: "page", id: ID });
  assertEquals(toParent({ type: "database_id", database_id: ID }), { kind: "database", id: ID });
  assertEquals(toParent({ workspace: true }), { kind: "workspace", id: null });
});

Deno.test("pageParentInput requires one parent, and a matching type", () => {
  assert(!v.is(pageParentInput, { type: "page_id", database_id: ID }));
  assert(!v.is(pageParentInput, { page_id: ID, workspace: true }));
  assert(!v.is(pageParentInput, { workspace: false }));
  assert(!v.is(pageParentInput, { block_id: ID }));
});

Deno.test("parentJson() writes every kind of parent as the output schema requires", () => {
  const kinds = ["page", "database", "block"] as const;
  for (const parentKind of kinds) {
    const json: unknown = JSON.parse(parentJson({ ...PAGE, parentKind, parentId: ID }));
    assertEquals(json, { type: `${parentKind}_id`, [`${parentKind}_id`]: ID });
    assert(v.is(parent, json));
  }
  assertEquals(parentJson(PAGE), '{"type":"workspace","workspace":true}');
  assert(v.is(parent, JSON.parse(parentJson(PAGE))));
});
