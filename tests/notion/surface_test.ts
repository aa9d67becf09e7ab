/**
 * What every route of `/v1` has in common: versions, errors, and the handler of `/v2` behind it.
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
    assertEquals(answers.scope.json.additional_data, { missing_scopes: ["users.read"] });
  }));

Deno.test("an operator can switch /v1 off", () =>
  withApp(async ({ call }) => {
    const { status, json } = await call("GET /v1/users/me", { headers: { "notion-version": V } });
    assertEquals([status, json.code], [404, "route_not_found"]);
  }, { environment: { RECTO_NOTION_API: "false" } }));
