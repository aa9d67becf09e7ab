/**
 * Routes that only `/v1` has exist in every version of the wire format.
 *
 * @module
 */
import { assertEquals, assertMatch } from "../assert.ts";
import { type AnyJson, V, VERSIONS, withNotion } from "./driver.ts";

function text(content: string): AnyJson[] {
  return [{ text: { content } }];
}

for (const version of VERSIONS) {
  Deno.test(`comments, file uploads, templates and moves work in version ${version}`, () =>
    withNotion(async ({ notion }) => {
      const call = (route: string, body?: AnyJson) => notion(route, body, version);
      const home = await notion("POST /pages", {
        parent: { workspace: true },
        properties: { title: text("Home") },
        children: [{ paragraph: { rich_text: text("one") } }],
      });
      const comment = await call("POST /comments", {
        parent: { page_id: home.id },
        rich_text: text(version),
      });
      assertEquals(comment.rich_text[0].plain_text, version);
      const { results } = await call(`GET /comments?block_id=${home.id}`);
      assertEquals(results, [comment]);
      assertEquals(await notion(`GET /comments/${comment.id}`, undefined, V), comment);
      const changed = await call(`PATCH /comments/${comment.id}`, { rich_text: text("new") });
      assertEquals(changed.rich_text[0].plain_text, "new");
      assertEquals((await call(`DELETE /comments/${comment.id}`)).id, comment.id);
      const upload = await call("POST /file_uploads", { filename: "a.txt" });
      assertEquals([upload.status, upload.in_trash], ["pending", false]);
      assertEquals("archived" in upload, version < "2026");
      assertEquals((await call("GET /file_uploads")).results.length, 1);
      const template = { type: "template_id", template_id: home.id };
      const page = await call("POST /pages", { parent: { page_id: home.id }, template });
      const read = await call(`GET /blocks/${page.id}/children`);
      assertEquals(read.results.map(({ type }: AnyJson) => type), ["paragraph"]);
      const locked = await call(`PATCH /pages/${page.id}`, { is_locked: true });
      assertEquals(locked.is_locked, true);
      const moved = await call(`POST /pages/${page.id}/move`, { parent: { workspace: true } });
      assertEquals(moved.parent, { type: "workspace", workspace: true });
      assertEquals((await call(`GET /pages/${page.id}`)).is_locked, true);
    }));
}

Deno.test("from version 2025-09-03 on a page moves to a data source, and says if it is locked", () =>
  withNotion(async ({ notion }) => {
    for (const version of ["2025-09-03", "2026-03-11"]) {
      const call = (route: string, body?: AnyJson) => notion(route, body, version);
      const home = await call("POST /pages", {
        parent: { workspace: true },
        properties: { title: text("Home") },
      });
      assertEquals(home.is_locked, false);
      const database = await call("POST /databases", {
        parent: { type: "page_id", page_id: home.id },
        title: text("Birds"),
        initial_data_source: { properties: { Name: { title: {} } } },
      });
      const [{ id: source }] = database.data_sources;
      const page = await call("POST /pages", {
        parent: { page_id: home.id },
        properties: { title: text("Owl") },
      });
      const parent = { type: "data_source_id", data_source_id: source };
      const moved = await call(`POST /pages/${page.id}/move`, { parent });
      assertEquals(moved.parent, { ...parent, database_id: database.id });
      const { results } = await call(`POST /data_sources/${source}/query`, {});
      assertEquals(results.map(({ id }: AnyJson) => id), [page.id]);
      assertEquals(moved.properties.Name.title[0].plain_text, "Owl");
    }
  }));

Deno.test("an icon of Notion's own is kept by its name, on pages, databases and callouts", () =>
  withNotion(async ({ notion, call: ask }) => {
    const call = (route: string, body?: AnyJson) => notion(route, body, "2026-03-11");
    const icon = { type: "icon", icon: { name: "pizza", color: "gray" } };
    const page = await call("POST /pages", {
      parent: { workspace: true },
      properties: { title: text("Food") },
      icon: { icon: { name: "pizza" } },
      children: [{ callout: { rich_text: text("Hot"), icon } }],
    });
    assertEquals(page.icon, icon);
    assertEquals((await notion(`GET /pages/${page.id}`, undefined, V)).icon, icon);
    assertEquals((await ask(`GET /v2/pages/${page.id}`)).json.icon, icon);
    const { results: [callout] } = await call(`GET /blocks/${page.id}/children`);
    assertEquals(callout.callout.icon, icon);
    const database = await call("POST /databases", {
      parent: { page_id: page.id },
      title: text("Menu"),
      icon,
      initial_data_source: { properties: { Name: { title: {} } } },
    });
    assertEquals((await call(`GET /databases/${database.id}`)).icon, icon);
    // What was read can be written.
    const red = { type: "icon", icon: { name: "pizza", color: "red" } };
    assertEquals((await call(`PATCH /pages/${page.id}`, { icon: red })).icon, red);
    const { markdown } = (await ask(`GET /v2/pages/${page.id}/content/markdown`)).json;
    assertMatch(markdown, /data-icon=":pizza:"/);
  }));

Deno.test("a filter calls the caller `me` in conditions on people, and in no others", () =>
  withNotion(async ({ notion, call: ask, mint }) => {
    const me = await notion("GET /users/me");
    const token = await mint({ sub: "bob" });
    const { json: bob } = await ask("GET /v1/users/me", {
      token,
      headers: { "notion-version": V },
    });
    const { id } = await notion("POST /databases", {
      parent: { workspace: true },
      properties: { Name: { title: {} }, Who: { people: {} }, By: { created_by: {} } },
    });
    const row = async (title: string, person: AnyJson) =>
      await notion("POST /pages", {
        parent: { database_id: id },
        properties: { Name: { title: text(title) }, Who: { people: [{ id: person.id }] } },
      });
    await row("mine", me);
    await row("me", bob);
    const found = async (filter: AnyJson) => {
      const { results } = await notion(`POST /databases/${id}/query`, { filter });
      return results.map((one: AnyJson) => one.properties.Name.title[0].plain_text).sort();
    };
    assertEquals(await found({ property: "Who", people: { contains: "me" } }), ["mine"]);
    const others = { property: "Who", people: { does_not_contain: "me" } };
    assertEquals(await found({ and: [{ or: [others] }] }), ["me"]);
    assertEquals(await found({ property: "By", created_by: { contains: "me" } }), ["me", "mine"]);
    assertEquals(await found({ property: "Name", title: { equals: "me" } }), ["me"]);
  }));
