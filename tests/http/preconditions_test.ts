import { endpoints } from "../../src/api/endpoints.ts";
import { assert, assertEquals } from "../assert.ts";
import { newDatabase } from "../api/database_driver.ts";
import { appendOne, newPage, paragraph } from "../api/driver.ts";
import { announce, PNG, put } from "../api/file_driver.ts";
import { ORIGIN, type TestApp, withApp } from "../support/app.ts";
import { outcome, UNKNOWN } from "../security/support.ts";

/** A target for each GET route, by the path that declares it. */
async function targets(app: TestApp): Promise<ReadonlyMap<string, string>> {
  const page = await newPage(app);
  const { id: block } = await appendOne(app, page, paragraph("a"));
  const ids = { page_id: page, block_id: block, user_id: "me", property_id: "title" };
  const file = await fileTarget(app);
  const script = /\/docs\/[\w.-]+\.js/.exec((await app.call("GET /docs", { token: null })).text);
  const known = { ...ids, database_id: (await newDatabase(app)).id };
  const paths = endpoints.filter(({ method }) => method === "GET").map(({ path }) => path);
  return new Map(paths.map((path) => {
    if (path.startsWith("/files/")) return [path, file];
    if (path === "/docs/:script") return [path, script?.[0] ?? ""];
    if (path === "/v2/blocks/:block_id/children") return [path, `/v2/blocks/${page}/children`];
    return [path, path.replace(/:(\w+)/g, (_, name) => Reflect.get(known, name) ?? UNKNOWN)];
  }));
}

async function fileTarget(app: TestApp): Promise<string> {
  const { id, url } = await announce(app);
  await put(app, url, new Uint8Array(9), { type: PNG });
  const body = { parent: { workspace: true }, properties: {}, icon: { file_upload: { id } } };
  const { json } = await app.call("POST /v2/pages", { body });
  return json.icon.file.url.slice(ORIGIN.length);
}

Deno.test("a GET with If-Match succeeds only if one of its entity tags matches, on every route", () =>
  withApp(async (app) => {
    let tagged = 0;
    for (const [path, target] of await targets(app)) {
      for (const method of ["GET", "HEAD"]) {
        const ask = (value: string) =>
          app.call(`${method} ${target}`, { headers: { "if-match": value } });
        const usual = await app.call(`${method} ${target}`);
        assertEquals(usual.status, 200, `${method} ${path}`);
        const tag = usual.headers.get("etag");
        assertEquals((await ask("*")).status, 200, path);
        const refused = await ask('"nonsense"');
        assertEquals([refused.status, refused.headers.get("etag")], [412, tag], path);
        assertEquals((await ask('"a", "b"')).status, 412, path);
        if (tag === null) continue;
        tagged += 1;
        assertEquals((await ask(tag)).status, 200, path);
        assertEquals((await ask(`"a", ${tag}`)).status, 200, path);
        assertEquals((await ask(`W/${tag}`)).status, 412, path);
      }
    }
    assert(tagged >= 2 * 9, String(tagged));
  }));

Deno.test("If-Match takes precedence over If-None-Match, and compares what the caller can see", () =>
  withApp(async (app) => {
    const email = "ada@example.com";
    const token = await app.mint({ scope: "users.read", email });
    const seesAll = await app.mint({ email });
    const tagFor = async (token: string) =>
      (await app.call("GET /v2/users/me", { token })).headers.get("etag") ?? "";
    const [own, whole] = [await tagFor(token), await tagFor(seesAll)];
    const ask = (headers: Record<string, string>) =>
      app.call("GET /v2/users/me", { token, headers }).then(outcome);
    assertEquals(await ask({ "if-match": own, "if-none-match": own }), "304");
    assertEquals(await ask({ "if-match": '"a"', "if-none-match": own }), "412 precondition_failed");
    assert(own !== whole);
    assertEquals(await ask({ "if-match": whole }), "412 precondition_failed");
  }));

Deno.test("If-Match has no effect on errors and redirects", () =>
  withApp(async ({ call }) => {
    const headers = { "if-match": '"a"' };
    const absent = await call(`GET /v2/pages/${UNKNOWN}`, { headers });
    assertEquals(outcome(absent), "404 object_not_found");
    const html = { ...headers, accept: "text/html" };
    assertEquals((await call("GET /", { token: null, headers: html })).status, 302);
    assertEquals((await call("GET /v2/users/me", { token: null, headers })).status, 401);
  }));

Deno.test("an entity tag has no spaces", () =>
  withApp(async ({ call }) => {
    for (const name of ["if-match", "if-none-match"]) {
      const ask = (value: string) =>
        call("GET /v2/users/me", { headers: { [name]: value } }).then(outcome);
      assertEquals(await ask('"a b"'), "400 invalid_request");
      assertEquals(await ask(`"${" ".repeat(9_000)}"`), "400 invalid_request");
      assertEquals(
        await ask('"a"   ,   W/"!#~"'),
        name === "if-match" ? "412 precondition_failed" : "200",
      );
    }
  }));
