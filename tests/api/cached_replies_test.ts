import { assert, assertEquals, assertMatch, assertNotEquals } from "../assert.ts";
import { ALL_SCOPES, type Answer, type TestApp, withApp } from "../support/app.ts";
import { newDatabase, newRow, titled, valuesOf } from "./database_driver.ts";
import { append, appendOne, newPage, paragraph, succeed, text, toggle } from "./driver.ts";

/** Reads a path three times, so that a cached reply and its copy are among the answers. */
async function readThrice(
  app: TestApp,
  path: string,
  token?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const options = { headers, ...(token !== undefined && { token }) };
  const read = () => app.call(`GET ${path}`, options);
  const [first, ...others] = [await read(), await read(), await read()];
  assert(first !== undefined);
  for (const other of others) {
    assertEquals([other.status, other.text], [first.status, first.text]);
    assertEquals(fieldsOf(other), fieldsOf(first));
  }
  return first;
}

/** The header fields that do not name the request. */
function fieldsOf({ headers }: Answer): readonly (readonly string[])[] {
  const own = new Set(["x-request-id", "traceparent"]);
  return [...headers].filter(([name]) => !own.has(name));
}

const OPTION = { name: "open", color: "blue" };

Deno.test("a row that is read again shows each change of it and of its database", () =>
  withApp(async (app) => {
    const { id: databaseId, properties } = await newDatabase(app, {
      State: { select: { options: [OPTION] } },
    });
    const { id } = await newRow(app, databaseId, {
      Name: titled("Owl"),
      State: { select: { name: "open" } },
    });
    const path = `/v2/pages/${id}`;
    const { id: optionId } = properties.State.select.options[0];
    const shown = valuesOf((await readThrice(app, path)).json);
    assertEquals(shown.State, { ...OPTION, id: optionId });

    await succeed(app, `PATCH /v2/databases/${databaseId}`, {
      body: { properties: { State: { name: "Seen" } } },
    });
    assertEquals(Object.keys((await readThrice(app, path)).json.properties), ["Name", "Seen"]);

    await succeed(app, `PATCH ${path}`, { body: { properties: { Seen: { select: null } } } });
    assertEquals(valuesOf((await readThrice(app, path)).json).Seen, null);

    await succeed(app, `DELETE /v2/databases/${databaseId}`);
    assertEquals((await readThrice(app, path)).json.in_trash, true);
    await succeed(app, `PATCH /v2/databases/${databaseId}`, { body: { in_trash: false } });
    assertEquals((await readThrice(app, path)).json.in_trash, false);
  }));

Deno.test("a row that is read again shows the names of people as they are", () =>
  withApp(async (app) => {
    const { id: databaseId } = await newDatabase(app, {
      Who: { people: {} },
      By: { created_by: {} },
    });
    const { id } = await newRow(app, databaseId, { Name: titled("Owl") });
    const by = async () => valuesOf((await readThrice(app, `/v2/pages/${id}`)).json).By;
    const before = await by();
    const renamed = await app.mint({ name: "Ada Quill" });
    await app.call("GET /v2/users/me", { token: renamed });
    assertNotEquals(await by(), before);
  }));

Deno.test("rows that are listed or found again show each change of them and of their database", () =>
  withApp(async (app) => {
    const { id: databaseId } = await newDatabase(app, { Count: { number: {} } });
    const { id } = await newRow(app, databaseId, { Name: titled("Owl"), Count: { number: 1 } });
    const other = await newPage(app);
    const listed = async () =>
      (await succeed(app, `POST /v2/databases/${databaseId}/query`, { body: {} })).results;
    const found = async () => {
      const before = await listed();
      const search = async () =>
        (await succeed(app, "POST /v2/search", { body: { query: "owl" } })).results;
      const [first, second] = [await search(), await search()];
      assertEquals(second, first);
      assertEquals(first.length, 1);
      const { match: _, ...row } = first[0];
      assertEquals(row, (await app.call(`GET /v2/pages/${id}`)).json);
      for (const rows of [before, await listed()]) assertEquals(rows, [row]);
      return row;
    };
    assertEquals(valuesOf(await found()).Count, 1);

    await succeed(app, `PATCH /v2/pages/${id}`, { body: { properties: { Count: { number: 2 } } } });
    assertEquals(valuesOf(await found()).Count, 2);

    await succeed(app, `PATCH /v2/databases/${databaseId}`, {
      body: { properties: { Count: { name: "Sum" } } },
    });
    assertEquals(Object.keys((await found()).properties), ["Name", "Sum"]);

    const mention = { mention: { type: "page", page: { id: other } } };
    const name = { title: [...text("Owl of "), mention] };
    await succeed(app, `PATCH /v2/pages/${id}`, { body: { properties: { Name: name } } });
    await found();
    const title = { title: { title: text("Wood") } };
    await succeed(app, `PATCH /v2/pages/${other}`, { body: { properties: title } });
    const { Name: { title: [, mentioned] } } = (await found()).properties;
    assertEquals(mentioned.plain_text, "Wood");
  }));

Deno.test("a database that is read again shows its changes", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { Count: { number: {} } });
    const path = `/v2/databases/${id}`;
    const before = await readThrice(app, path);
    assertEquals(Object.keys(before.json.properties).sort(), ["Count", "Name"]);
    await succeed(app, `PATCH ${path}`, { body: { properties: { Count: { name: "Sum" } } } });
    const after = await readThrice(app, path);
    assertEquals(Object.keys(after.json.properties).sort(), ["Name", "Sum"]);
    assertNotEquals(after.headers.get("etag"), before.headers.get("etag"));
  }));

Deno.test("a block that is read again shows each change of it and of its children", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const { id } = await appendOne(app, page, paragraph("Owl"));
    const read = async () => (await readThrice(app, `/v2/blocks/${id}`)).json;
    const plainText = async () => (await read()).paragraph.rich_text[0].plain_text;
    assertEquals(await plainText(), "Owl");

    await succeed(app, `PATCH /v2/blocks/${id}`, {
      body: { paragraph: { rich_text: text("Kite") } },
    });
    assertEquals(await plainText(), "Kite");
    assertEquals((await read()).has_children, false);

    const inner = await appendOne(app, id, paragraph("inside"));
    assertEquals((await read()).has_children, true);
    await succeed(app, `DELETE /v2/blocks/${inner.id}`);
    assertEquals((await read()).has_children, false);

    await succeed(app, `DELETE /v2/pages/${page}`);
    assertEquals((await read()).in_trash, true);
    await succeed(app, `PATCH /v2/pages/${page}`, { body: { in_trash: false } });
    assertEquals((await read()).in_trash, false);
  }));

Deno.test("children that are listed again show each change of them and of what is in them", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const listed = async () => {
      const read = async () => (await succeed(app, `GET /v2/blocks/${page}/children`)).results;
      const [first, ...others] = [await read(), await read(), await read()];
      for (const other of others) assertEquals(other, first);
      return first;
    };
    assertEquals(await listed(), []);
    const { id } = await appendOne(app, page, toggle("Owl"));
    assertEquals((await listed())[0].toggle.rich_text[0].plain_text, "Owl");
    await succeed(app, `PATCH /v2/blocks/${id}`, { body: { toggle: { rich_text: text("Kite") } } });
    assertEquals((await listed())[0].toggle.rich_text[0].plain_text, "Kite");

    const inner = await appendOne(app, id, paragraph("inside"));
    assertEquals((await listed())[0].has_children, true);
    await succeed(app, `DELETE /v2/blocks/${inner.id}`);
    assertEquals((await listed())[0].has_children, false);

    await appendOne(app, page, paragraph("Wren"));
    assertEquals((await listed()).length, 2);
    await succeed(app, `DELETE /v2/blocks/${id}`);
    assertEquals((await listed()).length, 1);

    await succeed(app, `DELETE /v2/pages/${page}`);
    assertEquals((await listed())[0].in_trash, true);
    await succeed(app, `PATCH /v2/pages/${page}`, { body: { in_trash: false } });
    assertEquals((await listed())[0].in_trash, false);

    const parent = { page_id: page };
    const child = await newPage(app, { parent, title: "Before" });
    assertEquals((await listed())[1].child_page, { title: "Before" });
    const properties = { title: { title: text("After") } };
    await succeed(app, `PATCH /v2/pages/${child}`, { body: { properties } });
    assertEquals((await listed())[1].child_page, { title: "After" });
    await appendOne(app, child, paragraph("below"));
    assertEquals((await listed())[1].has_children, true);
  }));

Deno.test("children that are listed again show the names that they mention as they are", () =>
  withApp(async (app) => {
    const [page, other] = [await newPage(app), await newPage(app, { title: "Before" })];
    const mention = { mention: { type: "page", page: { id: other } } };
    await appendOne(app, page, { paragraph: { rich_text: [mention] } });
    const shown = async () => {
      const { results: [block] } = await succeed(app, `GET /v2/blocks/${page}/children`);
      return block.paragraph.rich_text[0].plain_text;
    };
    assertEquals([await shown(), await shown()], ["Before", "Before"]);
    const properties = { title: { title: text("After") } };
    await succeed(app, `PATCH /v2/pages/${other}`, { body: { properties } });
    assertEquals(await shown(), "After");
  }));

Deno.test("the children of a block that are listed again show what is put into them", () =>
  withApp(async (app) => {
    const outer = await appendOne(app, await newPage(app), toggle("outer", [paragraph("inner")]));
    const listed = async () =>
      (await succeed(app, `GET /v2/blocks/${outer.id}/children`)).results[0];
    const inner = await listed();
    assertEquals([inner.has_children, (await listed()).has_children], [false, false]);
    await appendOne(app, inner.id, paragraph("innermost"));
    assertEquals((await listed()).has_children, true);
  }));

Deno.test("copies that are read or listed again show whether the original has children", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const synced = { synced_block: { synced_from: null, children: [paragraph("first")] } };
    const { id: original } = await appendOne(app, await newPage(app), synced);
    const { id } = await appendOne(app, page, {
      synced_block: { synced_from: { block_id: original } },
    });
    const shown = async () => {
      const { results: [listed] } = await succeed(app, `GET /v2/blocks/${page}/children`);
      const { json: read } = await readThrice(app, `/v2/blocks/${id}`);
      assertEquals(listed, read);
      return read.has_children;
    };
    assertEquals([await shown(), await shown()], [true, true]);
    const { results: [first] } = await succeed(app, `GET /v2/blocks/${original}/children`);
    await succeed(app, `DELETE /v2/blocks/${first.id}`);
    assertEquals(await shown(), false);
    const listed = async () => (await succeed(app, `GET /v2/blocks/${id}/children`)).results.length;
    assertEquals([await listed(), await listed()], [0, 0]);
    await appendOne(app, original, paragraph("second"));
    assertEquals([await listed(), await shown()], [1, true]);
  }));

Deno.test("a block that mentions a page shows its title as it is", () =>
  withApp(async (app) => {
    const page = await newPage(app, { title: "Before" });
    const mention = { mention: { type: "page", page: { id: page } } };
    const { id } = await appendOne(app, page, { paragraph: { rich_text: [mention] } });
    const read = async () =>
      (await readThrice(app, `/v2/blocks/${id}`)).json.paragraph.rich_text[0].plain_text;
    assertEquals(await read(), "Before");
    const body = { properties: { title: { title: text("After") } } };
    await succeed(app, `PATCH /v2/pages/${page}`, { body });
    assertEquals(await read(), "After");
  }));

Deno.test("a user that is read again shows the newest claims, to each reader what is theirs", () =>
  withApp(async (app) => {
    const ada = { name: "Ada", email: "ada@recto.example" };
    const { id } = (await readThrice(app, "/v2/users/me", await app.mint(ada))).json;
    const renamed = await app.mint({ ...ada, name: "Ada Quill" });
    assertEquals((await readThrice(app, "/v2/users/me", renamed)).json.name, "Ada Quill");

    const withoutEmail = await app.mint({ scope: ALL_SCOPES.replace("users.email.read ", "") });
    const read = async (token: string) => (await readThrice(app, `/v2/users/${id}`, token)).json;
    assertEquals((await read(renamed)).person, { email: ada.email });
    assertEquals((await read(withoutEmail)).person, {});
  }));

Deno.test("Markdown that is read again shows each change, in each form", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [paragraph("Owl")] });
    const path = `/v2/pages/${page}/content/markdown`;
    const asText = async () =>
      (await readThrice(app, path, undefined, { accept: "text/markdown" })).text;
    const asJson = async () => (await readThrice(app, path)).json.markdown;
    for (const read of [asText, asJson]) assertEquals(await read(), "Owl\n");

    const other = await newPage(app, { title: "Before" });
    const mention = { mention: { type: "page", page: { id: other } } };
    await append(app, page, { children: [{ paragraph: { rich_text: [mention] } }] });
    for (const read of [asText, asJson]) assertMatch(await read(), /Owl\n\n.*Before/);

    const body = { properties: { title: { title: text("After") } } };
    await succeed(app, `PATCH /v2/pages/${other}`, { body });
    for (const read of [asText, asJson]) assertMatch(await read(), /Owl\n\n.*After/);
  }));

Deno.test("Markdown that is read again shows each change of the page's blocks and of pages in it", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [toggle("Owl")] });
    const { results: [{ id }] } = await succeed(app, `GET /v2/blocks/${page}/children`);
    const tags = new Set<string | null>();
    const read = async () => {
      const { json, headers } = await readThrice(app, `/v2/pages/${page}/content/markdown`);
      tags.add(headers.get("etag"));
      return json.markdown.match(/Owl|Kite|inside|Before|After/g);
    };
    const change = (path: string, body: object) => succeed(app, `PATCH ${path}`, { body });
    assertEquals(await read(), ["Owl"]);
    await change(`/v2/blocks/${id}`, { toggle: { rich_text: text("Kite") } });
    assertEquals(await read(), ["Kite"]);
    const inner = await appendOne(app, id, paragraph("inside"));
    assertEquals(await read(), ["Kite", "inside"]);
    await succeed(app, `DELETE /v2/blocks/${inner.id}`);
    assertEquals(await read(), ["Kite"]);
    await change(`/v2/blocks/${inner.id}`, { in_trash: false });
    assertEquals(await read(), ["Kite", "inside"]);

    const child = await newPage(app, { parent: { page_id: page }, title: "Before" });
    assertEquals(await read(), ["Kite", "inside", "Before"]);
    await change(`/v2/pages/${child}`, { properties: { title: { title: text("After") } } });
    assertEquals(await read(), ["Kite", "inside", "After"]);
    await succeed(app, `DELETE /v2/pages/${child}`);
    assertEquals(await read(), ["Kite", "inside"]);
    assertEquals(tags.size, 8);

    await succeed(app, `DELETE /v2/pages/${page}`);
    assertEquals(await read(), ["Kite", "inside"]);
    await change(`/v2/pages/${page}`, { in_trash: false });
    assertEquals(await read(), ["Kite", "inside"]);
  }));

Deno.test("Markdown that is read again is checked against the preconditions and the token", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [paragraph("Owl")] });
    const path = `/v2/pages/${page}/content/markdown`;
    const tagOf = async () => (await readThrice(app, path)).headers.get("etag") ?? "";
    const status = async (headers: Readonly<Record<string, string>>, token?: string) =>
      (await app.call(`GET ${path}`, { headers, ...(token !== undefined && { token }) })).status;
    const before = await tagOf();
    assertEquals(await status({ "if-none-match": before }), 304);
    assertEquals(await status({ "if-match": before }), 200);
    await append(app, page, { children: [paragraph("Kite")] });
    assertEquals(await status({ "if-none-match": before }), 200);
    assertEquals(await status({ "if-match": before }), 412);
    const now = await tagOf();
    assertEquals(await status({ "if-none-match": now }), 304);
    assertEquals(await status({ "if-match": before }), 412);
    const other = await app.mint({ workspace: "elsewhere" });
    assertEquals(await status({}, other), 404);
    const withoutBlocks = await app.mint({ scope: ALL_SCOPES.replace("blocks.read ", "") });
    assertEquals(await status({}, withoutBlocks), 403);
  }));

Deno.test("Markdown that was read before is edited only if its tag is expected", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [paragraph("Owl")] });
    const path = `/v2/pages/${page}/content/markdown?variant=enhanced`;
    const { headers } = await readThrice(app, path);
    const tag = headers.get("etag") ?? "";
    const edit = async (expected: string, content: string) => {
      const { status } = await app.call(`PATCH /v1/pages/${page}/markdown`, {
        headers: { "notion-version": "2026-03-11", "if-match": expected },
        body: { type: "insert_content", insert_content: { content } },
      });
      return [status, (await succeed(app, `GET ${path}`)).markdown];
    };
    assertEquals(await edit('"other"', "Kite"), [412, "Owl\n"]);
    assertEquals(await edit(tag, "Kite"), [200, "Owl\nKite\n"]);
    assertEquals(await edit(tag, "Wren"), [412, "Owl\nKite\n"]);
  }));

Deno.test("who reads a cached reply gets the fields and the tag that are theirs", () =>
  withApp(async (app) => {
    const { id: databaseId } = await newDatabase(app);
    const { id } = await newRow(app, databaseId, { Name: titled("Owl") });
    const lean = await app.mint({ scope: ALL_SCOPES.replace(/users\S+ ?/g, "").trim() });
    for (const path of [`/v2/pages/${id}`, `/v2/databases/${databaseId}`]) {
      const [part, whole] = [await readThrice(app, path, lean), await readThrice(app, path)];
      assertEquals(part.status, 200);
      const tags = [part, whole].map(({ headers }) => headers.get("etag") ?? "");
      assertNotEquals(tags[0], tags[1], path);
      for (const [index, token] of [lean, await app.mint()].entries()) {
        for (const tag of tags) {
          const headers = { "if-none-match": tag };
          const { status } = await app.call(`GET ${path}`, { token, headers });
          assertEquals(status, tag === tags[index] ? 304 : 200, `${path} ${index} ${tag}`);
        }
      }
    }
  }));
