/**
 * Properties of every route of `/v1`: versions, errors, and the handler of `/v2` behind it.
 *
 * @module
 */
import { assertEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";
import { V, withNotion } from "./driver.ts";

const MISSING = "00000000-0000-4000-8000-000000000000";

Deno.test("a page written through /v1 is the page that /v2 reads, byte for byte", () =>
  withNotion(async ({ notion, call }) => {
    const page = await notion("POST /pages", {
      parent: { workspace: true },
      properties: { title: [{ text: { content: "Field notes" } }] },
    });
    const read = await notion(`GET /pages/${page.id}`);
    assertEquals(read, (await call(`GET /v2/pages/${page.id}`)).json);
    assertEquals(read.properties.title.title[0].plain_text, "Field notes");
  }));

Deno.test("a token is checked before the version, and the version before everything else", () =>
  withNotion(async ({ call }) => {
    const refused = await call("GET /v1/users/me", { token: "no" });
    assertEquals([refused.status, refused.json.code], [401, "unauthorized"]);
    assertEquals(refused.json.message, "API token is invalid.");
    const missing = await call("GET /v1/pages/nonsense");
    assertEquals([missing.status, missing.json.code], [400, "missing_version"]);
    assertEquals(
      missing.json.message,
      "Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.",
    );
    const unknown = await call("GET /v1/users/me", { headers: { "notion-version": "2020-01-01" } });
    assertEquals([unknown.status, unknown.json.code], [400, "validation_error"]);
    assertEquals(
      unknown.json.message,
      'Notion-Version header failed validation: Notion-Version header should be `"2021-05-11"`, `"2021-05-13"`, `"2021-08-16"`, `"2022-02-22"`, `"2022-06-28"`, `"2025-09-03"`, or `"2026-03-11"`, instead was `"2020-01-01"`.',
    );
  }));

Deno.test("errors have the vendor's codes, messages and form", () =>
  withNotion(async ({ call, mint }) => {
    const headers = { "notion-version": V };
    const weak = await mint({ scope: "pages.read" });
    const answers = {
      path: await call("GET /v1/nothing", { headers }),
      method: await call("PUT /v1/pages", { headers }),
      scope: await call("GET /v1/users/me", { headers, token: weak }),
      id: await call("GET /v1/pages/x", { headers }),
      page: await call(`GET /v1/pages/${MISSING}`, { headers }),
      json: await call("POST /v1/search", { headers, body: "{" }),
    };
    const seen = Object.entries(answers).map(([name, { status, json }]) => [
      name,
      status,
      json.status,
      json.code,
      json.message,
    ]);
    assertEquals(seen, [
      ["path", 400, 400, "invalid_request_url", "Invalid request URL."],
      ["method", 400, 400, "invalid_request_url", "Invalid request URL."],
      [
        "scope",
        403,
        403,
        "restricted_resource",
        "Insufficient permissions for this endpoint. Token lacks scopes: users.read.",
      ],
      [
        "id",
        400,
        400,
        "validation_error",
        'path failed validation: path.page_id should be a valid uuid, instead was `"x"`.',
      ],
      [
        "page",
        404,
        404,
        "object_not_found",
        `Could not find page with ID: ${MISSING}. Make sure the relevant pages and databases are shared with your integration.`,
      ],
      ["json", 400, 400, "invalid_json", "Error parsing JSON body: bad syntax"],
    ]);
    const { headers: fields, json } = answers.page;
    assertEquals(fields.get("content-type"), "application/json");
    assertEquals(json.request_id, fields.get("x-request-id"));
    assertEquals(json.object, "error");
    assertEquals(answers.scope.json.additional_data, {
      missing_scopes: ["users.read"],
      required_scopes: ["users.read"],
    });
  }));

Deno.test("an operator can switch /v1 off", () =>
  withApp(async ({ call }) => {
    const { status, json } = await call("GET /v1/users/me", { headers: { "notion-version": V } });
    assertEquals([status, json.code], [404, "route_not_found"]);
  }, { environment: { RECTO_NOTION_API: "false" } }));

Deno.test("the oldest versions list databases, and later ones search", () =>
  withNotion(async ({ notion, refused }) => {
    const page = await notion("POST /pages", {
      parent: { workspace: true },
      properties: { title: [{ text: { content: "Field notes" } }] },
    });
    const { id } = await notion("POST /databases", {
      parent: { page_id: page.id },
      properties: { Name: { title: {} } },
    });
    for (const version of ["2021-05-11", "2021-05-13", "2021-08-16"]) {
      const list = await notion("GET /databases?page_size=10", undefined, version);
      assertEquals(list.results.map((one: { id: string }) => one.id), [id]);
    }
    const { code } = await refused("GET /databases", undefined, "2022-02-22");
    assertEquals(code, "invalid_request_url");
    const filter = { property: "object", value: "data_source", in_trash: false };
    const body = { query: "", sort: { property: "relevance" }, filter, page_size: "5" };
    const found = await notion("POST /search", body, "2026-03-11");
    assertEquals(found.results.map((one: { object: string }) => one.object), ["data_source"]);
    const all = await notion("POST /search", { filter: { in_trash: false } });
    assertEquals(all.results.length, 2);
    const trash = await refused("POST /search", { filter: { in_trash: true } });
    assertEquals(
      trash.message,
      "body failed validation: body.filter.in_trash should be `false`: objects in the trash are not searched, instead was `true`.",
    );
  }));

Deno.test("a second data source is refused with what to do instead", () =>
  withNotion(async ({ refused }) => {
    const { code, message } = await refused("POST /data_sources", {}, "2025-09-03");
    assertEquals(code, "invalid_request");
    assertEquals(
      message.startsWith("Unsupported request: create_data_source. Each database"),
      true,
    );
    const old = await refused("POST /data_sources", {}, "2022-06-28");
    assertEquals(old.code, "invalid_request_url");
  }));

Deno.test("null cursors and sizes in text are taken, and pages of property items are at /v1", () =>
  withNotion(async ({ notion, call }) => {
    const { id } = await notion("POST /pages", {
      parent: { workspace: true },
      properties: { title: [{ text: { content: "a" } }, { text: { content: "b" } }] },
    });
    const first = await notion(`GET /pages/${id}/properties/title?page_size=1&start_cursor=null`);
    assertEquals(first.results[0].title.plain_text, "a");
    const { next_url: url } = first.property_item;
    const { pathname, search } = new URL(url);
    assertEquals(pathname, `/v1/pages/${id}/properties/title`);
    const next = await notion(`GET ${pathname.slice(3)}${search}`);
    assertEquals(next.results[0].title.plain_text, "b");
    const own = (await call(`GET /v2/pages/${id}/properties/title?page_size=1`)).json;
    assertEquals(new URL(own.property_item.next_url).pathname, `/v2/pages/${id}/properties/title`);
  }));

Deno.test("messages about properties are those that public code matches", () =>
  withNotion(async ({ notion, refused }) => {
    const page = await notion("POST /pages", {
      parent: { workspace: true },
      properties: { title: [{ text: { content: "x" } }] },
    });
    const { id } = await notion("POST /databases", {
      parent: { page_id: page.id },
      properties: { Name: { title: {} }, Count: { number: {} }, Note: { rich_text: {} } },
    });
    const parent = { database_id: id };
    const wrong = await refused("POST /pages", {
      parent,
      properties: { Colour: { number: 1 }, Count: { checkbox: true } },
    });
    assertEquals(
      wrong.message,
      "Colour is not a property that exists. Count is expected to be number.",
    );
    const filter = { property: "Colour", number: { equals: 1 } };
    const unknown = await refused(`POST /databases/${id}/query`, { filter });
    assertEquals(unknown.message, "Could not find property with name or id: Colour");
    const kind = await refused(`GET /databases/${page.id}`);
    assertEquals([kind.status, kind.code], [400, "validation_error"]);
    assertEquals(kind.message.includes("is a page, not a database"), true);
    const sorts = [{ property: "Colour", direction: "ascending" }];
    const unsorted = await refused(`POST /databases/${id}/query`, { sorts });
    assertEquals(unsorted.message, "Could not find sort property with name or id: Colour");
    const clash = { property: "Count", rich_text: { equals: "x" } };
    assertEquals(
      (await refused(`POST /databases/${id}/query`, { filter: clash })).message,
      "The property type in the database does not match the property type of the filter provided: database property number does not match filter rich_text",
    );
  }));

Deno.test("a read of a page in the version of /v2 has its entity tag; another version has none", () =>
  withNotion(async ({ notion, call }) => {
    const { id } = await notion("POST /pages", {
      parent: { workspace: true },
      properties: { title: [{ text: { content: "x" } }] },
    });
    const read = (headers: Record<string, string>) => call(`GET /v1/pages/${id}`, { headers });
    const same = await read({ "notion-version": V });
    const tag = same.headers.get("etag") ?? "";
    assertEquals(tag, (await call(`GET /v2/pages/${id}`)).headers.get("etag"));
    assertEquals((await read({ "notion-version": V, "if-none-match": tag })).status, 304);
    const other = await read({ "notion-version": "2025-09-03", "if-none-match": tag });
    assertEquals([other.status, other.headers.get("etag")], [200, null]);
  }));

Deno.test("a repeated key replays the reply in the version that asks", () =>
  withNotion(async ({ call, notion }) => {
    const { id: page_id } = await notion("POST /pages", {
      parent: { workspace: true },
      properties: { title: [{ text: { content: "x" } }] },
    });
    const { id } = await notion("POST /databases", {
      parent: { page_id },
      properties: { Name: { title: {} } },
    });
    const send = () =>
      call("POST /v1/pages", {
        headers: { "notion-version": "2025-09-03", "idempotency-key": "once" },
        body: { parent: { database_id: id }, properties: {} },
      });
    const [first, second] = [await send(), await send()];
    assertEquals(second.headers.get("idempotency-replayed"), "true");
    assertEquals(second.json.id, first.json.id);
    assertEquals(second.json.parent.type, "data_source_id");
  }));
