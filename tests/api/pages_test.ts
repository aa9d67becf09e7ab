import { assert, assertEquals, assertMatch, assertNotEquals } from "../assert.ts";
import { type TestApp, withApp } from "../support/app.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const text = (content: string) => [{ text: { content } }];

async function newPage(app: TestApp, title = "Home", more: object = {}): Promise<string> {
  const answer = await app.call("POST /v2/pages", {
    body: { parent: { workspace: true }, properties: { title: { title: text(title) } }, ...more },
  });
  assertEquals(answer.status, 200, answer.text);
  return answer.json.id;
}

Deno.test("POST /v2/pages creates a page in the workspace and returns all of it", () =>
  withApp(async ({ call }) => {
    const { status, json, headers } = await call("POST /v2/pages", {
      body: {
        parent: { workspace: true },
        properties: { title: text("Plans") },
        icon: { emoji: "🚀" },
        cover: { external: { url: "https://example.test/a.png" } },
      },
    });
    assertEquals(status, 200);
    assertEquals(headers.get("content-type"), "application/json");
    assertEquals(Object.keys(json), [
      ...["object", "id", "created_time", "last_edited_time", "created_by", "last_edited_by"],
      ...["cover", "icon", "parent", "archived", "in_trash", "properties", "url", "public_url"],
    ]);
    assertEquals(json.parent, { type: "workspace", workspace: true });
    assertEquals(json.icon, { type: "emoji", emoji: "🚀" });
    assertEquals(json.properties.title.title[0].plain_text, "Plans");
    const read = await call(`GET /v2/pages/${json.id}`);
    assertEquals(read.json, json);
    assertEquals(read.headers.get("etag"), headers.get("etag"));
    assertEquals(json.url, `http://recto.test/v2/pages/${json.id.replaceAll("-", "")}`);
  }));

Deno.test("a page is found by its id in any spelling, and returned with the canonical one", () =>
  withApp(async (app) => {
    const id = await newPage(app);
    for (const spelling of [id, id.toUpperCase(), id.replaceAll("-", "")]) {
      assertEquals((await app.call(`GET /v2/pages/${spelling}`)).json.id, id);
    }
    const bad = await app.call("GET /v2/pages/nonsense");
    assertEquals([bad.status, bad.json.code], [400, "validation_error"]);
    assertEquals(bad.json.errors[0].pointer, "/page_id");
    assertMatch(bad.json.message, /^path failed validation: path\.page_id should be a valid uuid/);
  }));

Deno.test("a page created in a page becomes its child and marks it as edited", () =>
  withApp(async (app) => {
    const parent = await newPage(app);
    const before = (await app.call(`GET /v2/pages/${parent}`)).headers.get("etag");
    const child = await newPage(app, "Child", { parent: { page_id: parent } });
    const { json } = await app.call(`GET /v2/pages/${child}`);
    assertEquals(json.parent, { type: "page_id", page_id: parent });
    assertNotEquals((await app.call(`GET /v2/pages/${parent}`)).headers.get("etag"), before);
    const children = await app.call(`GET /v2/blocks/${parent}/children`);
    assertEquals(children.json.results.map((block: { type: string }) => block.type), [
      "child_page",
    ]);
    assertEquals(children.json.results[0].child_page, { title: "Child" });
    assertEquals(children.json.results[0].has_children, false);
  }));

Deno.test("POST /v2/pages reports every issue of a body at once, each with a pointer", () =>
  withApp(async ({ call }) => {
    const { status, json } = await call("POST /v2/pages", {
      body: {
        parent: { page_id: "nonsense" },
        properties: {},
        icon: { emoji: "" },
        id: "x",
        created_by: {},
        children: [{
          paragraph: { rich_text: [{ text: { content: "x".repeat(2001) } }], oops: 1 },
        }],
      },
    });
    assertEquals([status, json.code], [400, "validation_error"]);
    const pointers = json.errors.map((issue: { pointer: string }) => issue.pointer).sort();
    assertEquals(pointers, [
      "/children/0/paragraph/oops",
      "/children/0/paragraph/rich_text/0/text/content",
      "/created_by",
      "/icon/emoji",
      "/id",
      "/parent/page_id",
    ]);
  }));

Deno.test("a page with any issue is not written", () =>
  withApp(async (app) => {
    const parent = await newPage(app);
    const refused = await app.call("POST /v2/pages", {
      body: {
        parent: { page_id: parent },
        properties: { title: text("x"), Other: { number: 1 } },
        children: [{ paragraph: { rich_text: [] } }],
      },
    });
    assertEquals([refused.status, refused.json.message], [
      400,
      "Other is not a property that exists.",
    ]);
    const children = await app.call(`GET /v2/blocks/${parent}/children`);
    assertEquals(children.json.results, []);
  }));

Deno.test("an unknown parent is a 404; a parent in the trash or of the wrong kind is a 400", () =>
  withApp(async (app) => {
    const create = (parent: object) =>
      app.call("POST /v2/pages", { body: { parent, properties: {} } });
    const unknown = await create({ page_id: UNKNOWN });
    assertEquals([unknown.status, unknown.json.message], [
      404,
      `Could not find page with ID: ${UNKNOWN}.`,
    ]);
    const page = await newPage(app);
    const wrong = await create({ database_id: page });
    assertEquals(wrong.status, 400);
    assertMatch(wrong.json.message, /is a page, not a database/);
    await app.call(`DELETE /v2/pages/${page}`);
    const trashed = await create({ page_id: page });
    assertEquals([trashed.status, trashed.json.errors[0].pointer], [400, "/parent"]);
  }));

Deno.test("PATCH /v2/pages replaces the given members and keeps the others", () =>
  withApp(async (app) => {
    const id = await newPage(app, "Old", { icon: { emoji: "🚀" } });
    const { status, json } = await app.call(`PATCH /v2/pages/${id}`, {
      body: { properties: { title: { title: text("New") } }, cover: null },
    });
    assertEquals(status, 200);
    assertEquals(json.properties.title.title[0].plain_text, "New");
    assertEquals(json.icon, { type: "emoji", emoji: "🚀" });
    const cleared = await app.call(`PATCH /v2/pages/${id}`, { body: { icon: null } });
    assertEquals(cleared.json.icon, null);
    assertEquals((await app.call(`GET /v2/pages/${id}`)).json, cleared.json);
    const moved = await app.call(`PATCH /v2/pages/${id}`, {
      body: { parent: { workspace: true } },
    });
    assertEquals([moved.status, moved.json.errors[0].pointer], [400, "/parent"]);
  }));

Deno.test("deleting a page deletes its whole subtree, and restoring it restores exactly that", () =>
  withApp(async (app) => {
    const page = await newPage(app, "Page", {
      children: [{ toggle: { rich_text: [], children: [{ paragraph: { rich_text: [] } }] } }, {
        divider: {},
      }],
    });
    const blocks = (await app.call(`GET /v2/blocks/${page}/children`)).json.results;
    const [toggle, divider] = blocks.map((block: { id: string }) => block.id);
    await app.call(`DELETE /v2/blocks/${divider}`);

    const deleted = await app.call(`DELETE /v2/pages/${page}`);
    assertEquals([deleted.status, deleted.json.in_trash, deleted.json.archived], [200, true, true]);
    assertEquals((await app.call(`GET /v2/blocks/${toggle}`)).json.in_trash, true);
    const again = await app.call(`DELETE /v2/pages/${page}`);
    assertEquals([again.status, again.json], [200, deleted.json]);

    const edit = await app.call(`PATCH /v2/pages/${page}`, { body: { icon: null } });
    assertEquals(edit.status, 400);
    assertMatch(edit.json.message, /can't edit block that is archived/i);
    const child = await app.call(`PATCH /v2/blocks/${toggle}`, { body: { in_trash: false } });
    assertEquals(child.status, 400);

    const restored = await app.call(`PATCH /v2/pages/${page}`, { body: { archived: false } });
    assertEquals([restored.status, restored.json.in_trash], [200, false]);
    assertEquals(restored.json, (await app.call(`GET /v2/pages/${page}`)).json);
    assertEquals((await app.call(`GET /v2/blocks/${toggle}`)).json.in_trash, false);
    assertEquals((await app.call(`GET /v2/blocks/${divider}`)).json.in_trash, true);
    const shown = (await app.call(`GET /v2/blocks/${page}/children`)).json.results;
    assertEquals(shown.map((block: { id: string }) => block.id), [toggle]);
  }));

Deno.test("archived and in_trash that disagree are rejected", () =>
  withApp(async (app) => {
    const id = await newPage(app);
    const { status, json } = await app.call(`PATCH /v2/pages/${id}`, {
      body: { archived: true, in_trash: false },
    });
    assertEquals([status, json.errors[0].pointer], [400, "/archived"]);
  }));

Deno.test("filter_properties keeps the named properties and rejects unknown names", () =>
  withApp(async (app) => {
    const id = await newPage(app);
    const path = `GET /v2/pages/${id}`;
    assertEquals(
      (await app.call(`${path}?filter_properties=title`)).json,
      (await app.call(path)).json,
    );
    const bad = await app.call(`${path}?filter_properties=nope&filter_properties=title`);
    assertEquals(bad.status, 400);
    assertMatch(bad.json.message, /Could not find property with name or id: nope/);
    const unknown = await app.call(`${path}?filter_property=title&x=1`);
    assertEquals(unknown.json.errors.map((issue: { pointer: string }) => issue.pointer).sort(), [
      "/filter_property",
      "/x",
    ]);
  }));

Deno.test("the title is read item by item, page by page", () =>
  withApp(async (app) => {
    const items = [1, 2, 3, 4, 5].map((n) => ({ text: { content: `part ${n}` } }));
    const id = await newPage(app, "", { properties: { title: { title: items } } });
    const seen: string[] = [];
    let url: string | null = `/v2/pages/${id}/properties/title?page_size=2`;
    for (let pages = 0; url !== null; pages++) {
      assert(pages < 3, "the list ends");
      const { status, json } = await app.call(`GET ${url}`);
      assertEquals([status, json.object, json.type], [200, "list", "property_item"]);
      for (const item of json.results) seen.push(item.title.plain_text);
      assertEquals(json.has_more, json.next_cursor !== null);
      assertEquals(json.property_item.next_url !== null, json.has_more);
      url = json.next_cursor &&
        `/v2/pages/${id}/properties/title?page_size=2&start_cursor=${json.next_cursor}`;
    }
    assertEquals(seen, ["part 1", "part 2", "part 3", "part 4", "part 5"]);
    assertEquals((await app.call(`GET /v2/pages/${id}/properties/other`)).status, 404);
  }));

Deno.test("mentions are returned with current names", () =>
  withApp(async (app) => {
    const other = await newPage(app, "First name");
    const id = await newPage(app, "x", {
      properties: { title: { title: [{ mention: { page: { id: other } } }] } },
    });
    const title = async () =>
      (await app.call(`GET /v2/pages/${id}`)).json.properties.title.title[0];
    assertEquals((await title()).plain_text, "First name");
    const before = (await app.call(`GET /v2/pages/${id}`)).headers.get("etag");
    await app.call(`PATCH /v2/pages/${other}`, {
      body: { properties: { title: text("Second name") } },
    });
    assertEquals((await title()).plain_text, "Second name");
    assertEquals((await title()).href, `http://recto.test/v2/pages/${other.replaceAll("-", "")}`);
    assertNotEquals((await app.call(`GET /v2/pages/${id}`)).headers.get("etag"), before);
  }));

Deno.test("a cached page is read again once another process has changed it", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const options = { environment: { DATABASE_URL: `sqlite:${folder}/shared.sqlite` } };
  await withApp((app) =>
    withApp(async (other) => {
      const id = await newPage(app, "First");
      const read = async () => {
        const { json, headers } = await app.call(`GET /v2/pages/${id}`);
        return [json.properties.title.title[0].plain_text, json.in_trash, headers.get("etag")];
      };
      const first = await read();
      assertEquals(await read(), first);
      await other.call(`PATCH /v2/pages/${id}`, {
        body: { properties: { title: text("Second") } },
      });
      assertEquals((await read()).slice(0, 2), ["Second", false]);
      await other.call(`DELETE /v2/pages/${id}`);
      assertEquals((await read()).slice(0, 2), ["Second", true]);
      const token = await app.mint({ workspace: "elsewhere" });
      assertEquals((await app.call(`GET /v2/pages/${id}`, { token })).status, 404);
    }, options), options);
  await Deno.remove(folder, { recursive: true });
});
