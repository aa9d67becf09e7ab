import { newDatabase, valuesOf } from "./database_driver.ts";
import { newPage, refusal, succeed } from "./driver.ts";
import { assertEquals, assertStringIncludes } from "../assert.ts";
import { withApp } from "../support/app.ts";

const headers = { "content-type": "text/markdown; charset=utf-8" };

Deno.test("a body of Markdown is the content of a new page, and the query names parent and title", () =>
  withApp(async (app) => {
    const parent = await newPage(app);
    const body = "# Plan\n\n- [ ] Write it down\n";
    const page = await succeed(app, `POST /v2/pages?page_id=${parent}&title=The%20plan`, {
      body,
      headers,
    });
    assertEquals(page.parent, { type: "page_id", page_id: parent });
    assertEquals(page.properties.title.title[0].plain_text, "The plan");
    const read = await succeed(app, `GET /v2/pages/${page.id}/content/markdown`);
    assertEquals(read.markdown, body);
    const top = await succeed(app, "POST /v2/pages", { body, headers });
    assertEquals(top.parent.type, "workspace");
  }));

Deno.test("front matter of a body of Markdown holds the values of a row", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { Count: { number: {} } });
    const row = await succeed(app, `POST /v2/pages?database_id=${id}&title=Row`, {
      body: "---\nCount: 3\n---\n\nText\n",
      headers,
    });
    assertEquals(valuesOf(row).Count, 3);
    assertEquals(row.properties.Name.title[0].plain_text, "Row");
  }));

Deno.test("the query is for Markdown alone, and names one parent", () =>
  withApp(async (app) => {
    const id = await newPage(app);
    const json = { parent: { workspace: true }, properties: {} };
    assertEquals(refusal(await app.call("POST /v2/pages?title=x", { body: json })), [
      400,
      "validation_error",
    ]);
    const both = await app.call(`POST /v2/pages?page_id=${id}&database_id=${id}`, {
      body: "x",
      headers,
    });
    assertEquals(refusal(both), [400, "validation_error"]);
    const route = `PATCH /v2/pages/${id}`;
    const { status, headers: fields } = await app.call(route, { body: "x", headers });
    assertEquals(status, 415);
    assertEquals(fields.get("accept-patch"), "application/json, application/merge-patch+json");
    const other = await app.call("POST /v2/pages", {
      body: "x",
      headers: { "content-type": "text/plain" },
    });
    assertEquals(
      other.headers.get("accept-post"),
      "application/json, application/jsonl, text/markdown",
    );
    const broken = await app.call("POST /v2/pages", { body: new Uint8Array([0xff]), headers });
    assertEquals(refusal(broken), [400, "invalid_request"]);
  }));

Deno.test("a repeated Idempotency-Key with Markdown gets the first page, and with another parent an error", () =>
  withApp(async (app) => {
    const id = await newPage(app);
    const options = { body: "Once\n", headers: { ...headers, "idempotency-key": '"one"' } };
    const first = await succeed(app, "POST /v2/pages", options);
    assertEquals((await succeed(app, "POST /v2/pages", options)).id, first.id);
    const { json, status } = await app.call(`POST /v2/pages?page_id=${id}`, options);
    assertEquals(status, 422);
    assertStringIncludes(json.code, "idempotency");
  }));
