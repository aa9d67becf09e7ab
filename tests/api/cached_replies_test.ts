import { assert, assertEquals, assertNotEquals } from "../assert.ts";
import { ALL_SCOPES, type Answer, type TestApp, withApp } from "../support/app.ts";
import { newDatabase, newRow, titled, valuesOf } from "./database_driver.ts";
import { succeed } from "./driver.ts";

/** Reads a path three times, so that a cached reply and its copy are among the answers. */
async function readThrice(app: TestApp, path: string, token?: string): Promise<Answer> {
  const read = () => app.call(`GET ${path}`, token === undefined ? {} : { token });
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
