import { endpoints } from "../../src/api/endpoints.ts";
import { assert, assertEquals, assertMatch, assertNotEquals } from "../assert.ts";
import { ALL_SCOPES, type Answer, ORIGIN, type TestApp, withApp } from "../support/app.ts";
import { append, childrenOf, idsOf, newPage, refusal, succeed, text, UNKNOWN } from "./driver.ts";
import { fillWorkspace, indexAll, textAbout } from "./semantic_support.ts";

const WITHOUT_EMAIL = ALL_SCOPES.replace("users.email.read ", "");
const ADA = { sub: "ada", name: "Ada Lovelace", email: "ada@mail.test" };

Deno.test("a user is created the first time a token is used, and is visible to others", () =>
  withApp(async (app) => {
    const token = await app.mint(ADA);
    const me = await succeed(app, "GET /v2/users/me", { token });
    assertEquals(me, {
      object: "user",
      id: me.id,
      name: "Ada Lovelace",
      avatar_url: null,
      type: "person",
      person: { email: "ada@mail.test" },
    });
    assertMatch(me.id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (const spelling of [me.id, me.id.toUpperCase(), me.id.replaceAll("-", "")]) {
      assertEquals(await succeed(app, `GET /v2/users/${spelling}`), me);
    }
    const again = await app.mint({ ...ADA, ttlSeconds: 60 });
    assertEquals((await succeed(app, "GET /v2/users/me", { token: again })).id, me.id);
  }));

Deno.test("a user is created on whichever route the token is used first", () =>
  withApp(async (app) => {
    const page = await newPage(app, { token: await app.mint(ADA) });
    const { created_by } = await succeed(app, `GET /v2/pages/${page}`);
    assertEquals(Object.keys(created_by), ["object", "id"]);
    assertEquals((await succeed(app, `GET /v2/users/${created_by.id}`)).name, ADA.name);
  }));

Deno.test("a rejected caller does not become a user", () =>
  withApp(async (app) => {
    const token = await app.mint({ ...ADA, scope: "search.read" });
    const refused = await app.call("GET /v2/users/me", { token });
    assertEquals(refusal(refused), [403, "forbidden"]);
    const { id } = await succeed(app, "GET /v2/users/me", {
      token: await app.mint({ sub: "bob" }),
    });
    assertEquals((await app.store.users("default", [id])).length, 1);
    const ada = await succeed(app, "GET /v2/users/me", { token: await app.mint({ sub: "ada" }) });
    assertEquals([ada.name, ada.person], [null, {}]);
  }));

Deno.test("a user's name and e-mail are those of the last used token", () =>
  withApp(async (app) => {
    const read = async (who: object) =>
      await succeed(app, "GET /v2/users/me", { token: await app.mint(who) });
    const before = await read(ADA);
    const after = await read({ ...ADA, name: "Countess Lovelace", email: "countess@mail.test" });
    assertEquals([after.id, after.name, after.person.email], [
      ...[before.id, "Countess Lovelace", "countess@mail.test"],
    ]);
    assertEquals((await succeed(app, `GET /v2/users/${before.id}`)).name, "Countess Lovelace");
  }));

Deno.test("a token without name and e-mail keeps the user's; empty claims clear them", () =>
  withApp(async (app) => {
    const read = async (who: object) => {
      const token = await app.mint({ sub: "ada", ...who });
      const { name, person } = await succeed(app, "GET /v2/users/me", { token });
      return [name, person];
    };
    const known = await read(ADA);
    assertEquals(await read({}), known);
    assertEquals(await read({ name: "Ada" }), ["Ada", { email: ADA.email }]);
    assertEquals(await read({ name: "", email: "" }), [null, {}]);
  }));

Deno.test("a client acting for itself is a bot, and only the bot sees its workspace", () =>
  withApp(async (app) => {
    const token = await app.mint({ sub: "recto-cli", name: "Robot", workspace: "acme" });
    const { bot, ...me } = await succeed(app, "GET /v2/users/me", { token });
    assertEquals([me.type, me.name], ["bot", "Robot"]);
    assertEquals(bot, {
      owner: { type: "workspace", workspace: true },
      workspace_name: "acme",
      workspace_limits: { max_file_upload_size_in_bytes: 5 * 1024 ** 3 },
    });
    assertEquals((await succeed(app, `GET /v2/users/${me.id}`, { token })).bot, bot);
    const other = await app.mint({ ...ADA, workspace: "acme" });
    const seen = await succeed(app, `GET /v2/users/${me.id}`, { token: other });
    assertEquals(seen, { ...me, bot: {} });
  }));

Deno.test("an unknown user is a 404, and any word other than me is not an id", () =>
  withApp(async ({ call }) => {
    const unknown = await call(`GET /v2/users/${UNKNOWN}`);
    assertEquals(refusal(unknown), [404, "object_not_found"]);
    assertEquals(unknown.json.message, `Could not find user with ID: ${UNKNOWN}.`);
    for (const id of ["ME", "you", "0", "me%20"]) {
      assertEquals(refusal(await call(`GET /v2/users/${id}`)), [400, "validation_error"]);
    }
  }));

Deno.test("a token without the scope learns from body and challenge which one it needs", () =>
  withApp(async (app) => {
    const scope = ALL_SCOPES.split(" ").filter((name) => name !== "users.read").join(" ");
    const refused = await app.call("GET /v2/users/me", { token: await app.mint({ scope }) });
    assertEquals(refusal(refused), [403, "forbidden"]);
    assertEquals(refused.json.missing_scopes, ["users.read"]);
    assertEquals(refused.json.required_scopes, ["users.read"]);
    assertMatch(refused.json.message, /users\.read/);
    assertEquals(
      refused.headers.get("www-authenticate"),
      `Bearer realm="recto", resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource", ` +
        `error="insufficient_scope", scope="users.read"`,
    );
    const nobody = await app.call("GET /v2/users/me", { token: null });
    assertEquals(refusal(nobody), [401, "unauthorized"]);
  }));

Deno.test("a reply with the e-mail has another body and another entity tag", () =>
  withApp(async (app) => {
    const read = async (scope: string, headers = {}) =>
      await app.call("GET /v2/users/me", { token: await app.mint({ ...ADA, scope }), headers });
    const whole = await read(ALL_SCOPES);
    const lean = await read(WITHOUT_EMAIL);
    assertEquals([whole.json.person, lean.json.person], [{ email: ADA.email }, {}]);
    assertEquals({ ...whole.json, person: {} }, lean.json);
    const tag = whole.headers.get("etag") ?? "";
    assertNotEquals(lean.headers.get("etag"), tag);
    assertEquals((await read(ALL_SCOPES, { "if-none-match": tag })).status, 304);
    assertEquals((await read(WITHOUT_EMAIL, { "if-none-match": tag })).status, 200);
  }));

/** Fills a workspace with objects that could contain an e-mail, and returns their ids. */
async function populate(app: TestApp, token: string): Promise<string[]> {
  const { id } = await succeed(app, "GET /v2/users/me", { token: await app.mint(ADA) });
  const user = { object: "user", id, type: "person", person: { email: ADA.email } };
  const rich_text = [{ mention: { user }, plain_text: ADA.email }];
  const page = await newPage(app, { token: await app.mint(ADA) });
  await succeed(app, `PATCH /v2/pages/${page}`, { body: { properties: { title: rich_text } } });
  const child = await newPage(app, { parent: { page_id: page }, token });
  await append(app, page, {
    children: [{ toggle: { rich_text, children: [{ table: tableOf(rich_text) }] } }],
  });
  const blocks = await childrenOf(app, page);
  const below = await Promise.all(blocks.map((block) => childrenOf(app, block.id)));
  return [...new Set([id, page, child, ...idsOf(blocks), ...below.flatMap(idsOf)])];
}

function tableOf(cell: readonly object[]): object {
  return { table_width: 1, children: [{ table_row: { cells: [cell] } }] };
}

/** The replies of every GET route for these ids. */
async function walk({ call }: TestApp, ids: readonly string[], token: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const { method, path } of endpoints) {
    if (method !== "GET") continue;
    const filled = ids.map((id) => path.replace(":property_id", "title").replace(/:\w+/, id));
    for (const route of new Set(filled)) answers.push(await call(`GET ${route}`, { token }));
  }
  return answers;
}

function carriesEmail({ text, headers }: Answer): boolean {
  return `${text}${JSON.stringify([...headers])}`.includes("mail.test");
}

Deno.test("no route returns an e-mail without its scope", () =>
  withApp(async (app) => {
    const lean = await app.mint({ ...ADA, scope: WITHOUT_EMAIL });
    const ids = ["me", ...await populate(app, lean)];
    assertEquals((await walk(app, ids, lean)).filter(carriesEmail), []);
    const whole = await walk(app, ids, await app.mint(ADA));
    const objects = new Set(whole.filter(carriesEmail).map(({ json }) => json.object));
    assertEquals([...objects].sort(), ["block", "list", "page", "user"]);
  }));

Deno.test("no search finds a person by e-mail, or shows the e-mail, without its scope", () =>
  withApp(async (app) => {
    const token = await app.mint({ ...ADA, scope: WITHOUT_EMAIL });
    await fillWorkspace(app);
    const [user, page = ""] = await populate(app, token);
    const about = textAbout(1, 1);
    const person = { mention: { user: { id: user, person: { email: ADA.email } } } };
    await append(app, page, {
      children: [{ paragraph: { rich_text: [...text(about), person] } }],
    });
    await indexAll(app);
    const searches = [
      ...["all", "any"].map((words) => ["POST /v2/search", { words }] as const),
      ...["hybrid", "semantic"].map((mode) => ["POST /v2/search/semantic", { mode }] as const),
    ];
    for (const [route, how] of searches) {
      const asking = (query: string) => app.call(route, { token, body: { ...how, query } });
      assertEquals((await asking(ADA.email)).json.results, [], JSON.stringify(how));
      const found = await asking(about);
      assert(found.json.results.some(({ id }: { id: string }) => id === page));
      assert(!carriesEmail(found), found.text);
    }
  }));

Deno.test("no reply to a write has an e-mail without its scope", () =>
  withApp(async (app) => {
    const token = await app.mint({ ...ADA, scope: WITHOUT_EMAIL });
    const { id } = await succeed(app, "GET /v2/users/me", { token });
    const rich_text = [{ mention: { user: { id, person: { email: ADA.email } } } }];
    const block = { toggle: { rich_text } };
    const body = { parent: { workspace: true }, properties: { title: rich_text } };
    const created = await app.call("POST /v2/pages", { token, body });
    const page = created.json.id;
    const added = await app.call(`PATCH /v2/blocks/${page}/children`, {
      token,
      body: { children: [block] },
    });
    const toggle = added.json.results[0].id;
    const answers = [
      created,
      added,
      await app.call(`PATCH /v2/blocks/${toggle}`, { token, body: block }),
      await app.call(`PATCH /v2/pages/${page}`, {
        token,
        body: { properties: body.properties },
      }),
      await app.call(`DELETE /v2/blocks/${toggle}`, { token }),
      await app.call(`DELETE /v2/pages/${page}`, { token }),
    ];
    assertEquals(answers.map(({ status }) => status), answers.map(() => 200));
    for (const { text } of answers) assert(text.includes("@Ada Lovelace") || text.includes(page));
    assertEquals(answers.filter(carriesEmail), []);
  }));
