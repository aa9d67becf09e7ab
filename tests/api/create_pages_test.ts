/**
 * Several pages of one parent in one request, as JSON Lines.
 *
 * @module
 */
import fc from "fast-check";
import { assert, assertEquals, assertStringIncludes } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import { namedRows, nameOf, newDatabase, query, titled } from "./database_driver.ts";
import {
  childrenOf,
  newPage,
  paragraph,
  refusal,
  succeed,
  text,
  treeOf,
  UNKNOWN,
} from "./driver.ts";
import { everyType, valueOf } from "./every_type.ts";
import { announce, put } from "./file_driver.ts";
import { valueSamples } from "./value_samples.ts";

const TYPE = { "content-type": "application/jsonl" };

interface Sending {
  readonly key?: string;
  readonly token?: string;
}

function sendText(app: TestApp, body: string, { key, ...rest }: Sending = {}): Promise<Answer> {
  const headers = { ...TYPE, ...(key !== undefined && { "idempotency-key": key }) };
  return app.call("POST /v2/pages", { body, headers, ...rest });
}

function send(app: TestApp, pages: readonly object[], sending?: Sending): Promise<Answer> {
  return sendText(app, pages.map((page) => JSON.stringify(page)).join("\n"), sending);
}

async function create(app: TestApp, pages: readonly object[]): Promise<string[]> {
  const answer = await send(app, pages);
  assertEquals(answer.status, 200, answer.text);
  return idsIn(answer);
}

function idsIn({ text: lines }: Answer): string[] {
  return lines.trimEnd().split("\n").map((line) => {
    const { object, id, ...others } = JSON.parse(line);
    assertEquals([object, others], ["page", {}]);
    return id;
  });
}

function placesOf({ json }: Answer): string[] {
  return json.errors.map(({ pointer }: { pointer: string }) => pointer);
}

function read(app: TestApp, id: string): Promise<Answer["json"]> {
  return succeed(app, `GET /v2/pages/${id}`);
}

Deno.test("lines create pages of one parent in order, with their content, and reply with their IDs", () =>
  withApp(async (app) => {
    const home = await newPage(app, { children: [paragraph("first")] });
    const parent = { page_id: home };
    const answer = await send(app, [
      { parent, properties: { title: text("A") }, children: [paragraph("in A")] },
      { parent, properties: { title: text("B") }, markdown: "in *B*" },
      { parent: { page_id: home.replaceAll("-", "") }, properties: {}, icon: { emoji: "🌿" } },
    ]);
    assertEquals([answer.status, answer.headers.get("content-type")], [200, "application/jsonl"]);
    const ids = idsIn(answer);
    const [, ...shown] = await childrenOf(app, home);
    assertEquals(shown.map(({ id }) => id), ids);
    const [a = "", b = "", c = ""] = ids;
    assertEquals((await treeOf(app, a)).length, 1);
    assertEquals((await treeOf(app, b)).map(({ type }) => type), ["paragraph"]);
    assertEquals((await read(app, c)).icon, { type: "emoji", emoji: "🌿" });
    const [top = ""] = await create(app, [{ parent: { workspace: true }, properties: {} }]);
    assertEquals((await read(app, top)).parent, { type: "workspace", workspace: true });
  }));

Deno.test("lines create rows: numbered one after the other, with links and each new option once", () =>
  withApp(async (app) => {
    const tags = await newDatabase(app);
    const { red = "" } = await namedRows(app, tags.id, { red: {} });
    const { id } = await newDatabase(app, {
      State: { select: {} },
      Number: { unique_id: {} },
      Tags: { relation: { database_id: tags.id, dual_property: {} } },
    });
    const parent = { database_id: id };
    await namedRows(app, id, { before: {} });
    const state = (name: string) => ({ State: { select: { name } } });
    const ids = await create(app, [
      {
        parent,
        properties: { Name: titled("a"), ...state("open"), Tags: { relation: [{ id: red }] } },
      },
      { parent, properties: { Name: titled("b"), ...state("open") } },
      { parent, properties: { Name: titled("c"), ...state("done") } },
    ]);
    const rows = await Promise.all(ids.map((row) => read(app, row)));
    assertEquals(rows.map(nameOf), ["a", "b", "c"]);
    assertEquals(rows.map(({ properties }) => properties.Number.unique_id.number), [2, 3, 4]);
    const { properties } = await succeed(app, `GET /v2/databases/${id}`);
    const options = properties.State.select.options;
    assertEquals(options.map(({ name }: { name: string }) => name), ["open", "done"]);
    assertEquals(rows.map((row) => row.properties.State.select.id), [
      ...[options[0].id, options[0].id, options[1].id],
    ]);
    const [back] = Object.values<Record<string, unknown>>((await read(app, red)).properties)
      .filter(({ type }) => type === "relation");
    assertEquals(back?.relation, [{ id: ids[0] }]);
    await namedRows(app, id, { after: {} });
    assertEquals((await query(app, id)).toSorted(), ["a", "after", "b", "before", "c"]);
    const found = await succeed(app, "POST /v2/search", { body: { query: "c" } });
    assertEquals(found.results.map((row: { id: string }) => row.id), [ids[2]]);
  }));

const NARROW = {
  table: { table_width: 1, children: [{ table_row: { cells: [[], []] } }] },
};

Deno.test("the faults of all lines are told at once with their places, and nothing is created", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { Count: { number: {} } });
    const parent = { database_id: id };
    const good = { parent, properties: { Name: titled("good") } };
    const cases: readonly (readonly [readonly object[], readonly string[]])[] = [
      // By the schema of a body.
      [[{ parent, properties: 1 }, good, { parent, nonsense: 1, properties: {} }, 5 as never], [
        "/2/nonsense",
      ]],
      [[{ parent, properties: 1 }, good, { parent }, 5 as never], [
        "/0/properties",
        "/2/properties",
        "/3",
      ]],
      // By the database.
      [[
        { parent, properties: { Count: { checkbox: true } } },
        good,
        { parent, properties: { "No/such": { number: 1 } } },
        { parent, properties: {}, children: [NARROW] },
      ], ["/0/properties/Count", "/2/properties/No~1such", "/3/children/0/table/children/0"]],
      // By each other.
      [
        [good, { ...good, parent: { workspace: true } }, good, {
          ...good,
          parent: { page_id: id },
        }],
        [
          "/1/parent",
          "/3/parent",
        ],
      ],
      [[{ parent: { page_id: id }, properties: {} }], ["/0/parent/page_id"]],
    ];
    for (const [pages, places] of cases) {
      const refused = await send(app, pages);
      assertEquals(refusal(refused), [400, "validation_error"], refused.text);
      const told = placesOf(refused);
      for (const place of places) assert(told.some((one) => one.startsWith(place)), refused.text);
    }
    const missing = await send(app, [{ ...good, parent: { database_id: UNKNOWN } }]);
    assertEquals(refusal(missing), [404, "object_not_found"]);
    assertEquals(await query(app, id), []);
  }));

Deno.test("a line that names a missing row, upload or original fails all, at its place", () =>
  withApp(async (app) => {
    const related = await newDatabase(app);
    const { id } = await newDatabase(app, {
      Rows: { relation: { database_id: related.id, single_property: {} } },
      Files: { files: {} },
    });
    const parent = { database_id: id };
    const good = { parent, properties: { Name: titled("good") } };
    const upload = await announce(app);
    const copy = { synced_block: { synced_from: { block_id: UNKNOWN } } };
    for (
      const [page, place] of [
        [
          { parent, properties: { Rows: { relation: [{ id: UNKNOWN }] } } },
          "/1/properties/Rows/relation/0/id",
        ],
        [
          { parent, properties: { Files: { files: [{ file_upload: { id: upload.id } }] } } },
          "/1/properties/Files/files/0/file_upload/id",
        ],
        [{ ...good, children: [copy] }, "/1/children/0/synced_block/synced_from/block_id"],
        [{ ...good, markdown: "a\n\n".repeat(5_001) }, "/1/markdown"],
      ] as const
    ) {
      const refused = await send(app, [good, page]);
      assertEquals([refused.status, placesOf(refused)], [400, [place]], refused.text);
    }
    assertEquals(await query(app, id), []);
    await put(app, upload.url, new Uint8Array([1]));
    const [row = ""] = await create(app, [
      { parent, properties: { Files: { files: [{ file_upload: { id: upload.id } }] } } },
    ]);
    assertEquals((await read(app, row)).properties.Files.files.length, 1);
    const links = await newDatabase(app, { file: { url: {} } });
    // A property of this name refers to no upload.
    const properties = { file: { url: "https://recto.test/a" } };
    const [link = ""] = await create(app, [{ parent: { database_id: links.id }, properties }]);
    assertEquals((await read(app, link)).properties.file.url, "https://recto.test/a");
  }));

Deno.test("lines that are repeated with one key are created once and get the same reply", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app);
    const rows = ["a", "b"].map((name) => ({
      parent: { database_id: id },
      properties: { Name: titled(name) },
    }));
    const answers = await Promise.all([1, 2, 3].map(() => send(app, rows, { key: "k" })));
    assertEquals(new Set(answers.map((answer) => answer.text)).size, 1);
    const again = await send(app, rows, { key: "k" });
    assertEquals(again.headers.get("idempotency-replayed"), "true");
    assertEquals(again.headers.get("content-type"), "application/jsonl");
    assertEquals(idsIn(again), answers.flatMap(idsIn).slice(0, 2));
    assertEquals((await query(app, id)).toSorted(), ["a", "b"]);
    const other = await send(app, rows.slice(0, 1), { key: "k" });
    assertEquals(refusal(other), [422, "idempotency_key_reused"]);
  }));

Deno.test("one line and a JSON body of the same bytes are different requests", () =>
  withApp(async (app) => {
    const body = JSON.stringify({ parent: { workspace: true }, properties: {} });
    assertEquals((await sendText(app, body, { key: "k" })).status, 200);
    const options = { body, headers: { "idempotency-key": "k" } };
    assertEquals(refusal(await app.call("POST /v2/pages", options)), [
      422,
      "idempotency_key_reused",
    ]);
  }));

Deno.test("a token without `pages.write` creates none of the lines", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app);
    const token = await app.mint({ scope: "pages.read blocks.write databases.write" });
    const row = { parent: { database_id: id }, properties: {} };
    const refused = await send(app, [row, row], { token });
    assertEquals([...refusal(refused), refused.json.missing_scopes], [
      ...[403, "forbidden"],
      ["pages.write"],
    ]);
    assertEquals(await query(app, id), []);
  }));

Deno.test("a body of lines has 1 to 100 of them, each an object in JSON", () =>
  withApp(async (app) => {
    const line = JSON.stringify({ parent: { workspace: true }, properties: {} });
    for (const body of ["", `${line}\n`.repeat(101), "[]", "5\n5", `${line}\nnull`]) {
      assertEquals(
        refusal(await sendText(app, body)),
        [400, "validation_error"],
        body.slice(0, 50),
      );
    }
    for (const body of [`${line}\n{`, `${line}\n\n${line}`, `${line}\n{"a":1,"a":2}`]) {
      const refused = await sendText(app, body);
      assertEquals(refusal(refused), [400, "invalid_json"], body);
      assertStringIncludes(refused.json.message, "Line 2");
    }
    assertEquals((await sendText(app, `${line}\r\n`.repeat(100))).status, 200);
    const accept = (value: string) =>
      app.call("POST /v2/pages", { body: line, headers: { ...TYPE, accept: value } });
    assertEquals(refusal(await accept("application/json")), [406, "not_acceptable"]);
    assertEquals((await accept("application/json, application/jsonl;q=0.5")).status, 200);
    const elsewhere = await app.call("POST /v2/databases", { body: line, headers: TYPE });
    assertEquals(refusal(elsewhere), [415, "unsupported_media_type"]);
  }));

Deno.test("the pages of a request have 5,000 blocks at most, all together", () =>
  withApp(async (app) => {
    const home = await newPage(app);
    const rows = Array.from({ length: 99 }, () => ({ table_row: { cells: [[]] } }));
    const table = { table: { table_width: 1, children: rows } };
    const page = { parent: { page_id: home }, properties: {}, children: Array(26).fill(table) };
    const refused = await send(app, [page, page]);
    assertEquals([...refusal(refused), placesOf(refused)], [400, "validation_error", [""]]);
    assertEquals(await childrenOf(app, home), []);
  }));

/** The members of a page that are the same, however it was created. */
function essence(page: Answer["json"]): unknown {
  const same = { ...page, id: "", url: "", created_time: "", last_edited_time: "" };
  const properties = Object.entries<Record<string, unknown>>(page.properties)
    .filter(([, { type }]) => !/_time$|^unique_id$/.test(String(type)));
  return { ...same, properties: Object.fromEntries(properties) };
}

Deno.test("lines create the same rows as requests of their own", () =>
  withApp(async (app) => {
    const every = await everyType(app);
    const choices = Object.entries(valueSamples(every)).map(([type, { values }]) =>
      fc.option(fc.constantFrom(...values.map(([given]) => [type, { [type]: given }] as const)))
    );
    let names = 0;
    const row = fc.record({
      values: fc.tuple(...choices),
      option: fc.option(fc.constantFrom("x", "y", "z")),
      children: fc.array(fc.constantFrom(paragraph("one"), paragraph("two")), { maxLength: 3 }),
      icon: fc.constantFrom(null, { emoji: "🌿" }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        async (rows, isAloneFirst) => {
          const fresh = ++names;
          const bodies = rows.map(({ values, option, ...others }) => ({
            parent: { database_id: every.id },
            properties: {
              ...Object.fromEntries(values.filter((value) => value !== null)),
              ...(option !== null && { select: { select: { name: `${option} ${fresh}` } } }),
            },
            ...others,
          }));
          const together = () => create(app, bodies);
          const alone = async () => {
            const ids: string[] = [];
            for (const body of bodies) {
              ids.push((await succeed(app, "POST /v2/pages", { body })).id);
            }
            return ids;
          };
          const [first, second] = isAloneFirst ? [alone, together] : [together, alone];
          const created = [await first(), await second()];
          const [ones, others] = await Promise.all(
            created.map((ids) => Promise.all(ids.map((id) => read(app, id)))),
          );
          assertEquals(ones?.map(essence), others?.map(essence));
          const [trees, otherTrees] = await Promise.all(
            created.map((ids) => Promise.all(ids.map((id) => treeOf(app, id)))),
          );
          assertEquals(trees, otherTrees);
          const numbers = [...ones ?? [], ...others ?? []].map((page) =>
            (valueOf(page, "unique_id") as { number: number }).number
          );
          const start = numbers[0] ?? 0;
          assertEquals(numbers, numbers.map((_, index) => start + index));
        },
      ),
      { numRuns: 15 },
    );
  }));
