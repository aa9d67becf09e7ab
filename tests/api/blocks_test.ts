import { assert, assertEquals, assertMatch } from "../assert.ts";
import { given, SAMPLES } from "../content/blocks_samples.ts";
import { type TestApp, withApp } from "../support/app.ts";
import {
  append,
  appendOne,
  childrenOf,
  newPage,
  paragraph,
  refusal,
  succeed,
  text,
  toggle,
  treeOf,
  UNKNOWN,
} from "./driver.ts";

/** The id of a new block that accepts a block of this type as a child. */
async function homeFor(
  app: TestApp,
  page: string,
  [type, value]: readonly [string, Readonly<Record<string, unknown>>],
): Promise<string> {
  if (type === "column") return (await appendOne(app, page, least("column_list"))).id;
  if (type !== "table_row") return page;
  assert(Array.isArray(value.cells));
  const table_width = value.cells.length;
  const children = [{ table_row: { cells: value.cells.map(() => []) } }];
  return (await appendOne(app, page, { table: { table_width, children } })).id;
}

function least(type: string): object {
  return { [type]: SAMPLES[type]?.least.given };
}

for (const [type, samples] of Object.entries(SAMPLES)) {
  Deno.test(`blocks of type ${type} are read as they were written, with minimal and all members`, () =>
    withApp(async (app) => {
      const page = await newPage(app);
      for (const { given, read } of [samples.least, samples.most]) {
        const home = await homeFor(app, page, [type, given]);
        const before = await childrenOf(app, home);
        const added = await append(app, home, { children: [{ [type]: given }] });
        const [block] = added;
        assert(block !== undefined);
        assertEquals([added.length, block.type, block[type]], [1, type, read]);
        const children = Array.isArray(given.children) ? given.children : [];
        assertEquals(block.has_children, children.length > 0);
        const parent = home === page ? "page_id" : "block_id";
        assertEquals(block.parent, { type: parent, [parent]: home });
        assertEquals(await succeed(app, `GET /v2/blocks/${block.id}`), block);
        assertEquals(await childrenOf(app, home), [...before, block]);
        const below = await treeOf(app, block.id);
        assertEquals(below.map((tree) => tree.type), children.flatMap(Object.keys));
      }
    }));
}

Deno.test("a block has the members of the wire format in order", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const me = { object: "user", id: (await succeed(app, "GET /v2/users/me")).id };
    const block = await appendOne(app, page, { paragraph: { rich_text: given } });
    const { id, created_time, last_edited_time } = block;
    assertEquals(
      JSON.stringify(block),
      JSON.stringify({
        object: "block",
        id,
        parent: { type: "page_id", page_id: page },
        created_time,
        last_edited_time,
        created_by: me,
        last_edited_by: me,
        has_children: false,
        archived: false,
        in_trash: false,
        type: "paragraph",
        paragraph: SAMPLES.paragraph && { ...SAMPLES.paragraph.most.read, color: "default" },
      }),
    );
    assertMatch(String(created_time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assertEquals(last_edited_time, created_time);
  }));

Deno.test("a block is found by its id in any spelling; an unknown id is a 404", () =>
  withApp(async (app) => {
    const { id } = await appendOne(app, await newPage(app), { divider: {} });
    for (const spelling of [id.toUpperCase(), id.replaceAll("-", "")]) {
      assertEquals((await succeed(app, `GET /v2/blocks/${spelling}`)).id, id);
    }
    for (const path of ["", "/children"]) {
      const unknown = await app.call(`GET /v2/blocks/${UNKNOWN}${path}`);
      assertEquals(refusal(unknown), [404, "object_not_found"]);
      assertEquals(unknown.json.message, `Could not find block with ID: ${UNKNOWN}.`);
    }
    assertEquals(refusal(await app.call("GET /v2/blocks/me")), [400, "validation_error"]);
  }));

Deno.test("a page is a block too: child_page with its title, has_children iff it has content", () =>
  withApp(async (app) => {
    const page = await newPage(app, { title: "Home" });
    const block = await succeed(app, `GET /v2/blocks/${page}`);
    assertEquals([block.object, block.id, block.type], ["block", page, "child_page"]);
    assertEquals([block.child_page, block.has_children], [{ title: "Home" }, false]);
    assertEquals(block.parent, { type: "workspace", workspace: true });
    await append(app, page, { children: [paragraph("x")] });
    assertEquals((await succeed(app, `GET /v2/blocks/${page}`)).has_children, true);
    assertEquals((await succeed(app, `DELETE /v2/blocks/${page}`)).in_trash, true);
    assertEquals((await succeed(app, `GET /v2/pages/${page}`)).in_trash, true);
    const title = { child_page: { title: "Other" } };
    const edit = await app.call(`PATCH /v2/blocks/${await newPage(app)}`, { body: title });
    assertEquals(refusal(edit), [400, "validation_error"]);
    assertMatch(edit.json.message, /PATCH \/v2\/pages\/:page_id/);
  }));

Deno.test("the title of a child_page includes the names in its mentions", () =>
  withApp(async (app) => {
    const named = await newPage(app, { title: "Atlas" });
    const title = [...text("About "), { mention: { page: { id: named } } }];
    const page = await newPage(app);
    await succeed(app, `PATCH /v2/pages/${page}`, { body: { properties: { title } } });
    const route = `GET /v2/blocks/${page}`;
    assertEquals((await succeed(app, route)).child_page, { title: "About Atlas" });
    const renamed = { properties: { title: text("Globe") } };
    await succeed(app, `PATCH /v2/pages/${named}`, { body: renamed });
    assertEquals((await succeed(app, route)).child_page, { title: "About Globe" });
  }));

Deno.test("a database is a block too: child_database, which never has children", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const database = crypto.randomUUID();
    await addDatabase(app, page, database);
    const block = await succeed(app, `GET /v2/blocks/${database}`);
    assertEquals([block.type, block.child_database], ["child_database", { title: "Tasks" }]);
    assertEquals(block.has_children, false);
    assertEquals(await childrenOf(app, page), [block]);
    const children = [paragraph("x")];
    const added = await app.call(`PATCH /v2/blocks/${database}/children`, { body: { children } });
    assertEquals(refusal(added), [400, "validation_error"]);
    const wrong = await app.call(`GET /v2/pages/${database}`);
    assertMatch(wrong.json.message, /is a database, not a page/);
    assertEquals((await succeed(app, `DELETE /v2/blocks/${database}`)).in_trash, true);
    assertEquals(await childrenOf(app, page), []);
  }));

/** Inserts a database with one row into a page, which no route does yet. */
async function addDatabase({ store }: TestApp, page: string, id: string): Promise<void> {
  const history = { createdTime: 1, createdBy: UNKNOWN, editedTime: 1, editedBy: UNKNOWN };
  const rest = { position: "a0", hasMentions: false, version: 1, ...history, trashRoot: null };
  const database = { kind: "database", type: "child_database", title: "Tasks", doc: "{}" } as const;
  const row = { kind: "page", type: "child_page", title: "", doc: '{"properties":{}}' } as const;
  const outcome = await store.commit("default", [
    {
      op: "insert",
      node: { id, ...database, ...rest, parentKind: "page", parentId: page, containerId: page },
    },
    {
      op: "insert",
      node: {
        id: crypto.randomUUID(),
        ...row,
        ...rest,
        parentKind: "database",
        parentId: id,
        containerId: id,
      },
    },
  ]);
  assertEquals(outcome, "committed");
}

Deno.test("ten levels are written in one request and read back level by level", () =>
  withApp(async (app) => {
    const levels = Array.from({ length: 10 }, (_, level) => `level ${level}`);
    const deep = levels.reduceRight<object[]>((below, name) => [toggle(name, below)], []);
    let trees = await treeOf(app, await newPage(app, { children: deep }));
    for (const name of levels) {
      assertEquals(trees.length, 1);
      assertMatch(JSON.stringify(trees[0]?.value), new RegExp(`"${name}"`));
      trees = [...trees[0]?.children ?? []];
    }
    assertEquals(trees, []);
  }));

Deno.test("a mention of a user is returned with the user's current name", () =>
  withApp(async (app) => {
    const token = await app.mint({ sub: "ada", name: "Ada" });
    const { id } = await succeed(app, "GET /v2/users/me", { token });
    const mention = { paragraph: { rich_text: [{ mention: { user: { id } } }] } };
    const block = await appendOne(app, await newPage(app), mention);
    const route = `GET /v2/blocks/${block.id}`;
    const name = async () => (await succeed(app, route)).paragraph.rich_text[0].plain_text;
    assertEquals(await name(), "@Ada");
    assertMatch(JSON.stringify(block.paragraph), /"plain_text":"@Ada"/);
    await succeed(app, "GET /v2/users/me", {
      token: await app.mint({ sub: "ada", name: "Countess" }),
    });
    assertEquals(await name(), "@Countess");
  }));
