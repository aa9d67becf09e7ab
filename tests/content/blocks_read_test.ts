import { type JsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import * as v from "valibot";
import { appendInput, block, blockJson, blockUpdateInput } from "../../src/content/blocks/mod.ts";
import { componentsIn } from "../../src/cli/openapi/components.ts";
import { BLOCK_TYPES } from "../../src/content/blocks/types.ts";
import type { NodeView } from "../../src/content/schema/node.ts";
import { assert, assertEquals } from "../assert.ts";
import { PAGE, USER, viewed } from "./blocks_helpers.ts";
import { ID } from "./blocks_samples.ts";

const user = { object: "user", id: USER };

function answered(view: NodeView): unknown {
  return JSON.parse(blockJson(view, view.doc));
}

Deno.test("blockJson() prints the members of a block in the order of the wire format", () => {
  const view = viewed({ to_do: { rich_text: [] } }, true);
  const value = { rich_text: [], color: "default", checked: false };
  const time = "2024-02-29T12:00:00.123Z";
  assertEquals(
    blockJson(view, view.doc),
    JSON.stringify({
      object: "block",
      id: view.id,
      parent: { type: "page_id", page_id: PAGE },
      created_time: time,
      last_edited_time: time,
      created_by: user,
      last_edited_by: user,
      has_children: true,
      archived: false,
      in_trash: false,
      type: "to_do",
      to_do: value,
    }),
  );
});

Deno.test("blockJson() shows the title of a page, whose content are its children", () => {
  const title = 'A "quoted" \\ title';
  const page: NodeView = { ...viewed({ divider: {} }, true), kind: "page", type: "child_page" };
  const json = v.parse(block, answered({ ...page, title, doc: '{"icon":null}' }));
  assertEquals(Object.entries(json).slice(-1), [["child_page", { title }]]);
  assertEquals(Object.entries(json).find(([key]) => key === "has_children"), [
    "has_children",
    true,
  ]);
});

Deno.test("blockJson() shows a database without children even if it has rows", () => {
  const view = viewed({ divider: {} }, true);
  const json = answered({ ...view, kind: "database", type: "child_database", title: "Rows" });
  const text = JSON.stringify(json);
  assert(text.includes('"has_children":false'), text);
  assert(text.endsWith('"type":"child_database","child_database":{"title":"Rows"}}'), text);
});

Deno.test("blockJson() shows the trash under both keys", () => {
  const view = { ...viewed({ divider: {} }), trashRoot: ID };
  const text = blockJson(view, view.doc);
  assert(text.includes('"archived":true,"in_trash":true'), text);
});

Deno.test("block accepts read-only types", () => {
  const view = viewed({ divider: {} });
  const docs = [
    ["template", '{"rich_text":[]}'],
    ["link_preview", '{"url":"https://example.org"}'],
    ["unsupported", "{}"],
    ["image", '{"type":"file","file":{"url":"u","expiry_time":"t"},"caption":[]}'],
  ] as const;
  for (const [type, doc] of docs) {
    const json = answered({ ...view, type, doc });
    assertEquals<unknown>(v.parse(block, json), json);
  }
});

Deno.test("each block type has a component that converts to JSON Schema", () => {
  const components = componentsIn([block, appendInput, blockUpdateInput]);
  const names = Object.keys(components).filter((name) => /Block(?:Update)?(?:Input)?$/.test(name));
  const written = Object.values(BLOCK_TYPES).filter((spec) => !("notCreated" in spec)).length;
  assertEquals(names.length, Object.keys(BLOCK_TYPES).length + written + 3);
  assert(["Heading1Block", "SyncedBlock", "ToDoBlockInput"].every((name) => names.includes(name)));
  const defs: Record<string, JsonSchema> = toJsonSchemaDefs(components, {
    target: "draft-2020-12",
  });
  const children = { type: "array", items: { $ref: "#/$defs/BlockInput" }, maxItems: 100 };
  const { children: appended } = defs.BlockAppendInput?.properties ?? {};
  assertEquals<unknown>(appended, { ...children, minItems: 1 });
  const variants = defs.BlockInput?.anyOf ?? [];
  assertEquals(variants.length, written);
  assertEquals<unknown>(variants[0], { $ref: "#/$defs/ParagraphBlockInput" });
});
