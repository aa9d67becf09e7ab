import * as v from "valibot";
import {
  editPage,
  newPage,
  pageCreateInput,
  pageCreateIssues,
  pageUpdateInput,
  pageUpdateIssues,
  parsePageDoc,
} from "../../src/content/pages/pages.ts";
import { titleOf } from "../../src/content/properties/mod.ts";
import { plainText } from "../../src/content/values/rich_text.ts";
import { assert, assertEquals } from "../assert.ts";

const ID = "00000000-0000-4000-8000-00000000000a";
const HOME = "00000000-0000-4000-8000-00000000000b";
const BY = "00000000-0000-4000-8000-00000000000c";
const TITLE = { title: [{ text: { content: "Plans" } }] };

const PLANS = newPage({
  input: { parent: { page_id: HOME }, properties: TITLE, icon: { emoji: "🚀" } },
  id: ID,
  parent: { kind: "page", id: HOME },
  position: "a0",
  edit: { time: 7, by: BY },
});

Deno.test("newPage() creates version 1 of a page below its parent", () => {
  const { doc, ...columns } = PLANS;
  assertEquals(columns, {
    id: ID,
    kind: "page",
    type: "child_page",
    parentKind: "page",
    parentId: HOME,
    containerId: HOME,
    position: "a0",
    title: "Plans",
    hasMentions: false,
    version: 1,
    createdTime: 7,
    createdBy: BY,
    editedTime: 7,
    editedBy: BY,
    trashRoot: null,
  });
  const content = parsePageDoc(doc);
  assertEquals(Object.keys(content), ["cover", "icon", "properties"]);
  assertEquals([content.cover, content.icon], [null, { type: "emoji", emoji: "🚀" }]);
  assertEquals(plainText(titleOf(content.properties)), "Plans");
});

Deno.test("editPage() replaces the members of the input and keeps the others", () => {
  assertEquals(editPage(PLANS, {}), { title: "Plans", doc: PLANS.doc, hasMentions: false });
  const renamed = editPage(PLANS, { properties: { title: [{ text: { content: "Ideas" } }] } });
  assertEquals([renamed.title, parsePageDoc(renamed.doc).icon?.type], ["Ideas", "emoji"]);
  const cleared = editPage(PLANS, { icon: null, cover: { external: { url: "https://a.test" } } });
  assertEquals(parsePageDoc(cleared.doc), {
    ...parsePageDoc(PLANS.doc),
    icon: null,
    cover: { type: "external", external: { url: "https://a.test" } },
  });
});

Deno.test("editPage() records whether the new title has mentions", () => {
  const mentioning = editPage(PLANS, {
    properties: { title: [{ mention: { user: { id: BY } } }] },
  });
  assert(mentioning.hasMentions);
  const plain = editPage({ ...PLANS, ...mentioning }, { properties: TITLE });
  assert(!plain.hasMentions);
});

Deno.test("pageCreateIssues() returns all issues of a page at once", () => {
  const input = v.parse(pageCreateInput, {
    parent: { workspace: true },
    properties: { Name: { title: [] } },
    icon: { emoji: "x" },
    children: [{ table_row: { cells: [] } }],
    content: [],
  });
  assertEquals(pageCreateIssues(input).map((issue) => issue.pointer), [
    "/properties/Name",
    "/icon/emoji",
    "/children/0/table_row",
    "/content",
  ]);
});

Deno.test("pageCreateIssues() does not validate the properties of a row", () => {
  const properties = { Name: { title: [] } };
  assertEquals(pageCreateIssues({ parent: { database_id: HOME }, properties }), []);
});

Deno.test("pageUpdateIssues() returns all issues of an edit at once", () => {
  const issues = pageUpdateIssues({ properties: { Name: [] }, icon: { emoji: "x" }, cover: null });
  assertEquals(issues.map((issue) => issue.pointer), ["/properties/Name", "/icon/emoji"]);
  assertEquals(pageUpdateIssues({ properties: TITLE, icon: null, in_trash: true }), []);
});

Deno.test("pageUpdateInput rejects a parent and children", () => {
  assert(!v.is(pageUpdateInput, { parent: { page_id: HOME } }));
  assert(!v.is(pageUpdateInput, { children: [] }));
});
