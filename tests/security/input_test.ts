import { assert, assertEquals } from "../assert.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { createPage, NEW_PAGE, outcome } from "./support.ts";

const HOSTILE = [
  ...[
    "'; DROP TABLE nodes; --",
    '" OR ""="',
    "' OR 1=1 --",
    "\\",
    "%",
    "_",
    "NEAR(",
    "*",
    "${7*7}",
  ],
  ..."`$(id)`|; SELECT load_extension('x')|\u202e<script>alert(1)</script>|{{7*7}}".split("|"),
];

async function titleOf({ call }: TestApp, id: string): Promise<string> {
  return (await call(`GET /v2/pages/${id}`)).json.properties.title.title[0].plain_text;
}

Deno.test("text in any language of machines is data, and comes back as it was sent", () =>
  withApp(async (app) => {
    for (const content of HOSTILE) {
      const body = { properties: { title: [{ text: { content } }] } };
      const id = await createPage(app, { body });
      assertEquals(await titleOf(app, id), content);
    }
  }));

Deno.test("hostile names, cursors, keys and ids are refused or mean nothing, and never a 500", () =>
  withApp(async (app) => {
    const { call } = app;
    const id = await createPage(app, {
      body: { properties: { title: [{ text: { content: "x" } }] } },
    });
    for (const text of HOSTILE) {
      const escaped = encodeURIComponent(text);
      const byProperty = await call(`GET /v2/pages/${id}?filter_properties=${escaped}`);
      assertEquals(outcome(byProperty), "400 validation_error", text);
      const byCursor = await call(`GET /v2/blocks/${id}/children?start_cursor=${escaped}`);
      assertEquals(outcome(byCursor), "400 validation_error", text);
      const byName = { properties: { [text]: { number: 1 } } };
      const named = await call(`PATCH /v2/pages/${id}`, { body: byName });
      assertEquals(outcome(named), "400 validation_error", text);
      const byId = await call("POST /v2/pages", {
        body: { parent: { page_id: text }, properties: {} },
      });
      assertEquals(outcome(byId), "400 validation_error", text);
      const property = await call(`GET /v2/pages/${id}/properties/${escaped}`);
      assert([400, 404].includes(property.status), text);
    }
    assertEquals(await titleOf(app, id), "x");
  }));

Deno.test("what the service alone decides cannot be sent", () =>
  withApp(async (app) => {
    const id = await createPage(app);
    const ours = [
      ...[
        "id",
        "object",
        "created_by",
        "created_time",
        "last_edited_by",
        "last_edited_time",
        "url",
      ],
      ...["workspace_id", "tenant_id", "archived_by", "has_children", "version", "public_url"],
    ];
    for (const name of ours) {
      const body = { [name]: "x" };
      for (
        const [route, rest] of [["POST /v2/pages", NEW_PAGE], [
          `PATCH /v2/pages/${id}`,
          {},
        ]] as const
      ) {
        const { status, json } = await app.call(route, { body: { ...rest, ...body } });
        assertEquals([status, json.errors?.[0].pointer], [400, `/${name}`], `${route} ${name}`);
      }
    }
  }));

/** Values that a pattern which starts over at every character would take for ever to refuse. */
const LONG = 7_000;
const repeated = [
  "a",
  ",",
  " ",
  '"',
  '",',
  ' , "',
  "=",
  "=a",
  ";q=",
  "/",
  "*/*,",
  "%",
  "%2",
  "\\",
  "-",
];

Deno.test("fields that lead a pattern astray are answered like any others", () =>
  withApp(async ({ call, mint }) => {
    const names = [
      ...["if-match", "if-none-match", "accept", "idempotency-key", "x-request-id", "origin"],
      ...["content-encoding", "expect", "notion-version", "content-type", "host"],
    ];
    const token = await mint();
    for (const unit of repeated) {
      const value = unit.repeat(Math.ceil(LONG / unit.length)).slice(0, LONG);
      for (const name of names) {
        for (const headers of [{ [name]: value }, { [name]: `"a"${value}!` }]) {
          const { status } = await call("POST /v2/pages", { token, headers, body: NEW_PAGE });
          assert([200, 400, 406, 415, 417].includes(status), `${name}: ${unit}: ${status}`);
        }
      }
      for (const authorization of [`Bearer ${value}`, `Bearer a${value}!`, `${value}, bearer`]) {
        const { status } = await call("GET /v2/users/me", {
          token: null,
          headers: { authorization },
        });
        assert([400, 401].includes(status), `${unit}: ${status}`);
      }
    }
  }));

Deno.test("texts that lead a pattern astray are answered like any others", () =>
  withApp(async ({ call }) => {
    for (
      const unit of [...repeated, "😀", "\u200d", "http://", "2020-01-01", "T00:", "00000000-"]
    ) {
      const value = unit.repeat(50_000 / unit.length);
      const bodies = [
        { ...NEW_PAGE, icon: { emoji: value } },
        { ...NEW_PAGE, icon: { external: { url: value } } },
        { ...NEW_PAGE, cover: { external: { url: `https://${value}` } } },
        { parent: { page_id: value }, properties: {} },
        { ...NEW_PAGE, properties: { title: [{ mention: { date: { start: value } } }] } },
        { ...NEW_PAGE, properties: { title: [{ mention: { user: { id: value } } }] } },
        { ...NEW_PAGE, [value]: 1 },
      ];
      for (const body of bodies) {
        const answer = await call("POST /v2/pages", { body });
        assertEquals(outcome(answer), "400 validation_error", JSON.stringify(body).slice(0, 80));
      }
    }
  }));

Deno.test("no source makes a pattern or code out of what a client sent", async () => {
  for await (const [path, text] of sources("src")) {
    // A constant of a module is made before any client calls.
    const inFunctions = text.split("\n").filter((line) => !line.startsWith("const "));
    for (const line of inFunctions) {
      assertEquals(/\bRegExp\(|\beval\(|\bnew Function\(/.test(line), false, `${path}: ${line}`);
    }
  }
});

async function* sources(folder: string): AsyncGenerator<readonly [path: string, text: string]> {
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* sources(path);
    else if (path.endsWith(".ts")) yield [path, await Deno.readTextFile(path)];
  }
}
