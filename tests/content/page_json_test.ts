import fc from "fast-check";
import * as v from "valibot";
import type { NodeView } from "../../src/content/schema/node.ts";
import { filterProperties, page, pageJson } from "../../src/content/pages/page_json.ts";
import { newPage, parsePageDoc } from "../../src/content/pages/pages.ts";
import { AppError } from "../../src/shared/errors.ts";
import { assertEquals, assertThrows } from "../assert.ts";
import { cover, dashedId, icon, richText } from "./arbitraries.ts";

const publicUrl = "https://recto.test";
const BY = "00000000-0000-4000-8000-00000000000c";

const pageView: fc.Arbitrary<NodeView> = fc
  .record({ id: dashedId, home: dashedId, title: richText, icon, cover, trashed: fc.boolean() })
  .map(({ id, home, title, icon, cover, trashed }) => ({
    ...newPage({
      input: { parent: { page_id: home }, properties: { title }, icon, cover },
      id,
      parent: { kind: "page", id: home },
      position: "a0",
      edit: { time: 1_700_000_000_123, by: BY },
    }),
    trashRoot: trashed ? home : null,
    hasChildren: false,
  }));

const KEYS = [
  "object",
  "id",
  "created_time",
  "last_edited_time",
  "created_by",
  "last_edited_by",
  "cover",
  "icon",
  "parent",
  "archived",
  "in_trash",
  "properties",
  "url",
  "public_url",
];

Deno.test("pageJson() matches the output schema for any title, icon and cover", () => {
  fc.assert(fc.property(pageView, (view) => {
    const json: unknown = JSON.parse(String(pageJson(view, { publicUrl, doc: view.doc })));
    const read = v.parse(page, json);
    assertEquals<unknown>(read, json);
    assertEquals(Object.keys(read), KEYS);
    assertEquals({ ...parsePageDoc(view.doc) }, {
      cover: read.cover,
      icon: read.icon,
      properties: read.properties,
    });
    assertEquals([read.archived, read.in_trash], [
      view.trashRoot !== null,
      view.trashRoot !== null,
    ]);
    assertEquals(read.url, `https://recto.test/v2/pages/${view.id.replaceAll("-", "")}`);
    assertEquals(read.created_time, "2023-11-14T22:13:20.123Z");
  }));
});

Deno.test("pageJson() is not confused by text that looks like its own JSON", () => {
  const trap = '","properties":{"a":1},"x":"';
  const node = newPage({
    input: {
      parent: { workspace: true },
      properties: { title: [{ text: { content: trap } }] },
      icon: { custom_emoji: { id: BY, name: trap, url: "properties" } },
      cover: { external: { url: trap } },
    },
    id: BY,
    parent: { kind: "workspace", id: null },
    position: "a0",
    edit: { time: 0, by: BY },
  });
  const read = v.parse(
    page,
    JSON.parse(
      String(pageJson({ ...node, hasChildren: false }, { publicUrl, doc: node.doc })),
    ),
  );
  assertEquals({ cover: read.cover, icon: read.icon, properties: read.properties }, {
    ...parsePageDoc(node.doc),
  });
});

const TITLED = '{"cover":null,"icon":null,"properties":{"title":{"id":"title","type":"title",' +
  '"title":[]}}}';

Deno.test("filterProperties() keeps only the named properties", () => {
  assertEquals(filterProperties(TITLED, ["title", "%74itle"]), TITLED);
  assertEquals(filterProperties(TITLED, []), '{"cover":null,"icon":null,"properties":{}}');
});

Deno.test("filterProperties() rejects every unknown name", () => {
  const error = assertThrows(() => filterProperties(TITLED, ["A", "title", "%"]), AppError);
  assertEquals(error.code, "validation_error");
  assertEquals(error.members.errors, [
    { pointer: "/filter_properties/0", detail: "Could not find property with name or id: A" },
    { pointer: "/filter_properties/2", detail: "Could not find property with name or id: %" },
  ]);
});
