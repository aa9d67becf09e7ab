import { assert, assertEquals, assertNotEquals } from "../assert.ts";
import { ALL_SCOPES, type TestApp, withApp } from "../support/app.ts";
import { newDatabase, newRow, query, titled } from "./database_driver.ts";
import { appendOne, newPage, succeed } from "./driver.ts";

const ADA = {
  sub: "ada",
  name: "Ada Lovelace",
  email: "ada@mail.test",
  picture: "https://e.test/a.png",
};
const without = (...scopes: string[]) =>
  ALL_SCOPES.split(" ").filter((scope) => !scopes.includes(scope)).join(" ");

interface Row {
  readonly properties: { readonly Named: { readonly formula: { readonly string: string | null } } };
}

interface Scene {
  readonly ada: string;
  readonly row: string;
  readonly page: string;
  readonly block: string;
  readonly database: string;
  readonly rollupRow: string;
}

/** A row, a block and a page that refer to a person, and a row that collects her by a rollup. */
async function sceneOf(app: TestApp): Promise<Scene> {
  const { id: ada } = await succeed(app, "GET /v2/users/me", { token: await app.mint(ADA) });
  const person = { people: [{ id: ada }] };
  const things = await newDatabase(app, {
    Who: { people: {} },
    By: { created_by: {} },
    Editor: { last_edited_by: {} },
  });
  const { id: row } = await newRow(app, things.id, { Name: titled("one"), Who: person });
  const lists = await newDatabase(app, {
    Rel: { relation: { database_id: things.id, single_property: {} } },
    All: {
      rollup: {
        relation_property_name: "Rel",
        rollup_property_name: "Who",
        function: "show_original",
      },
    },
  });
  const { id: rollupRow } = await newRow(app, lists.id, { Rel: { relation: [{ id: row }] } });
  const page = await newPage(app);
  const rich_text = [{ mention: { user: { id: ada } } }];
  const { id: block } = await appendOne(app, page, { paragraph: { rich_text } });
  await succeed(app, `PATCH /v2/pages/${page}`, { body: { properties: { title: rich_text } } });
  return { ada, row, page, block, database: things.id, rollupRow };
}

function routesOf({ row, page, block, database, rollupRow }: Scene): string[] {
  return [
    ...[row, page, rollupRow].map((id) => `GET /v2/pages/${id}`),
    `GET /v2/pages/${row}/properties/Who`,
    `GET /v2/pages/${row}?filter_properties=Who`,
    `GET /v2/pages/${rollupRow}/properties/All`,
    `GET /v2/pages/${page}/properties/title`,
    `GET /v2/blocks/${block}`,
    `GET /v2/blocks/${page}/children`,
    `POST /v2/databases/${database}/query`,
    "POST /v2/search",
  ];
}

Deno.test("people, authors and mentions are whole users for a token that reads users", () =>
  withApp(async (app) => {
    const scene = await sceneOf(app);
    const ada = {
      object: "user",
      id: scene.ada,
      name: ADA.name,
      avatar_url: null,
      type: "person",
      person: { email: ADA.email },
    };
    const { properties } = await succeed(app, `GET /v2/pages/${scene.row}`);
    assertEquals({ ...properties.Who.people[0], avatar_url: null }, ada);
    assertEquals(properties.By.created_by.type, "person");
    assertEquals(properties.Editor.last_edited_by.type, "person");
    const { paragraph } = await succeed(app, `GET /v2/blocks/${scene.block}`);
    assertEquals({ ...paragraph.rich_text[0].mention.user, avatar_url: null }, ada);
    for (const route of routesOf(scene)) {
      const { text } = await app.call(route, { body: route.startsWith("POST") ? {} : undefined });
      assert(text.includes(JSON.stringify(ADA.email)), `${route}: ${text}`);
    }
  }));

Deno.test("without users.email.read, no reply has an e-mail, and names stay", () =>
  withApp(async (app) => {
    const scene = await sceneOf(app);
    const token = await app.mint({ scope: without("users.email.read") });
    for (const route of routesOf(scene)) {
      const body = route.startsWith("POST") ? {} : undefined;
      const { text } = await app.call(route, { token, body });
      assert(!text.includes("mail.test"), `${route}: ${text}`);
      assert(text.includes('"person":{}') && text.includes(ADA.name), `${route}: ${text}`);
    }
  }));

Deno.test("without users.read, people are ids alone", () =>
  withApp(async (app) => {
    const scene = await sceneOf(app);
    const token = await app.mint({ scope: without("users.read") });
    for (const route of routesOf(scene)) {
      const body = route.startsWith("POST") ? {} : undefined;
      const { text } = await app.call(route, { token, body });
      assert(!text.includes("mail.test") && !text.includes('"person"'), `${route}: ${text}`);
      assert(!text.includes(ADA.name), `${route}: ${text}`);
      assert(text.includes(`{"object":"user","id":"${scene.ada}"}`), `${route}: ${text}`);
    }
  }));

Deno.test("without users.read, no text, formula or order is made of the names of people", () =>
  withApp(async (app) => {
    const things = await newDatabase(app, {
      Who: { people: {} },
      Named: { formula: { expression: 'name(first(prop("Who")))' } },
    });
    const page = await newPage(app);
    for (const name of ["Zoe", "Abe", "Mia"]) {
      const token = await app.mint({ sub: name, name });
      const { id } = await succeed(app, "GET /v2/users/me", { token });
      await newRow(app, things.id, { Who: { people: [{ id }] } });
      await appendOne(app, page, { paragraph: { rich_text: [{ mention: { user: { id } } }] } });
    }
    const starting = { property: "Named", formula: { string: { starts_with: "Abe" } } };
    const seen = async (scope: string) => {
      const token = await app.mint({ scope });
      const ask = async (body: object): Promise<(string | null)[]> => {
        const rows = await succeed(app, `POST /v2/databases/${things.id}/query`, { body, token });
        return rows.results.map(({ properties: { Named } }: Row) => Named.formula.string);
      };
      const { markdown } = await succeed(app, `GET /v2/pages/${page}/content/markdown`, { token });
      return {
        sorted: await ask({ sorts: [{ property: "Who", direction: "ascending" }] }),
        found: await ask({ filter: starting }),
        mentioned: markdown.match(/@\w+/g),
      };
    };
    const named = { sorted: ["Abe", "Mia", "Zoe"], found: ["Abe"] };
    assertEquals(await seen(ALL_SCOPES), { ...named, mentioned: ["@Zoe", "@Abe", "@Mia"] });
    assertEquals(await seen(without("users.read")), {
      sorted: [null, null, null],
      found: [],
      mentioned: ["@Anonymous", "@Anonymous", "@Anonymous"],
    });
  }));

Deno.test("a new name is in the next reply, which has another entity tag", () =>
  withApp(async (app) => {
    const scene = await sceneOf(app);
    const routes = routesOf(scene).filter((route) => route.startsWith("GET"));
    const tags = await Promise.all(
      routes.map(async (route) => (await app.call(route)).headers.get("etag")),
    );
    await succeed(app, "GET /v2/users/me", {
      token: await app.mint({ ...ADA, name: "Countess", email: "countess@mail.test" }),
    });
    for (const [index, route] of routes.entries()) {
      const tag = tags[index];
      const headers: Record<string, string> = tag ? { "if-none-match": tag } : {};
      const answer = await app.call(route, { headers });
      assertEquals(answer.status, 200, route);
      assert(answer.text.includes("countess@mail.test"), route);
      if (tag) assertNotEquals(answer.headers.get("etag"), tag);
    }
  }));

Deno.test("a person as read can be written back", () =>
  withApp(async (app) => {
    const scene = await sceneOf(app);
    const { properties } = await succeed(app, `GET /v2/pages/${scene.row}`);
    const body = { properties: { Who: properties.Who } };
    const written = await succeed(app, `PATCH /v2/pages/${scene.row}`, { body });
    assertEquals(written.properties.Who, properties.Who);
    const filter = { property: "Who", people: { contains: scene.ada } };
    assertEquals(await query(app, scene.database, { filter }), ["one"]);
  }));
