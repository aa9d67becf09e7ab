import { assert, assertEquals, assertMatch } from "../assert.ts";
import { LIMITS } from "../../src/content/values/limits.ts";
import { withApp } from "../support/app.ts";
import {
  append,
  appendOne,
  childrenOf,
  idsOf,
  newPage,
  paragraph,
  refusal,
  textsOf,
  toggle,
  UNKNOWN,
} from "./driver.ts";

const row = (...cells: unknown[][]) => ({ table_row: { cells } });
const many = (count: number) => Array.from({ length: count }, (_, n) => paragraph(`${n}`));

Deno.test("append returns only the new direct children, in order, as a list of blocks", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [paragraph("old")] });
    const body = { children: [toggle("a", [paragraph("below")]), paragraph("b"), paragraph("c")] };
    const { status, json } = await app.call(`PATCH /v2/blocks/${page}/children`, { body });
    assertEquals(status, 200);
    const { results, request_id, ...envelope } = json;
    assertEquals(textsOf(results), ["a", "b", "c"]);
    assertMatch(request_id, /^[0-9a-f-]{36}$/);
    assertEquals(envelope, {
      object: "list",
      next_cursor: null,
      has_more: false,
      type: "block",
      block: {},
    });
    assertEquals((await childrenOf(app, page)).slice(1), results);
  }));

Deno.test("append inserts blocks at the start, at the end, or after a child, by either name", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [paragraph("1"), paragraph("2")] });
    const [one = "", two = ""] = idsOf(await childrenOf(app, page));
    const add = (name: string, place: object) =>
      append(app, page, { children: [paragraph(name), paragraph(`${name}'`)], ...place });
    await add("start", { position: { type: "start" } });
    await add("end", { position: { type: "end" } });
    await add("after", { after: one.toUpperCase() });
    await add("after_block", { position: { type: "after_block", after_block: { id: one } } });
    await add("last", {});
    await add("after 2", { after: two.replaceAll("-", "") });
    assertEquals(textsOf(await childrenOf(app, page)), [
      ...["start", "start'", "1", "after_block", "after_block'", "after", "after'"],
      ...["2", "after 2", "after 2'", "end", "end'", "last", "last'"],
    ]);
  }));

Deno.test("append inserts only after a direct child that is not in the trash", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [toggle("1", [paragraph("below")]), toggle("2")] });
    const other = await newPage(app, { children: [paragraph("elsewhere")] });
    const [one = "", trashed = ""] = idsOf(await childrenOf(app, page));
    await app.call(`DELETE /v2/blocks/${trashed}`);
    const [nested = ""] = idsOf(await childrenOf(app, one));
    const [foreign = ""] = idsOf(await childrenOf(app, other));
    for (const after of [nested, foreign, trashed, page, UNKNOWN]) {
      for (
        const place of [{ after }, {
          position: { type: "after_block", after_block: { id: after } },
        }]
      ) {
        const body = { children: [paragraph("x")], ...place };
        const refused = await app.call(`PATCH /v2/blocks/${page}/children`, { body });
        assertEquals(refusal(refused), [404, "object_not_found"]);
        assertEquals(refused.json.message, `Could not find block with ID: ${after}.`);
      }
    }
    assertEquals(textsOf(await childrenOf(app, page)), ["1"]);
  }));

Deno.test("append rejects two positions, unknown positions and malformed positions", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [paragraph("1")] });
    const [after = ""] = idsOf(await childrenOf(app, page));
    for (
      const [place, pointer] of [
        [{ after, position: { type: "start" } }, "/position"],
        [{ after: "nonsense" }, "/after"],
        [{ after: null }, "/after"],
        [{ position: { type: "middle" } }, "/position/type"],
        [{ position: { type: "start", after_block: { id: after } } }, "/position/after_block"],
        [{ position: { type: "after_block" } }, "/position/after_block"],
        [{ before: after }, "/before"],
      ] as const
    ) {
      const body = { children: [paragraph("x")], ...place };
      const refused = await app.call(`PATCH /v2/blocks/${page}/children`, { body });
      assertEquals(refusal(refused), [400, "validation_error"]);
      assertEquals(refused.json.errors.map((issue: { pointer: string }) => issue.pointer), [
        pointer,
      ]);
    }
    assertEquals(textsOf(await childrenOf(app, page)), ["1"]);
  }));

Deno.test("append rejects children of a block that cannot have any", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const original = await appendOne(app, page, { synced_block: { synced_from: null } });
    const blocks = await append(app, page, {
      children: [
        { divider: {} },
        { code: { rich_text: [], language: "c" } },
        { heading_1: { rich_text: [] } },
        { synced_block: { synced_from: { block_id: original.id } } },
        { image: { external: { url: "https://example.test/a.png" } } },
      ],
    });
    for (const { id, type } of blocks) {
      const body = { children: [paragraph("x")] };
      const refused = await app.call(`PATCH /v2/blocks/${id}/children`, { body });
      assertEquals(refusal(refused), [400, "validation_error"], type);
      assertMatch(refused.json.message, /Can't add children to this block/);
      assertEquals(await childrenOf(app, id), []);
    }
  }));

Deno.test("append to a page or block in the trash is rejected as archived", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [toggle("1")] });
    const [block = ""] = idsOf(await childrenOf(app, page));
    await app.call(`DELETE /v2/pages/${page}`);
    for (const id of [page, block]) {
      const body = { children: [paragraph("x")] };
      const refused = await app.call(`PATCH /v2/blocks/${id}/children`, { body });
      assertEquals(refusal(refused), [400, "validation_error"]);
      assertMatch(refused.json.message, /can't edit block that is archived/i);
    }
  }));

Deno.test("a table accepts only rows of its width, and rows are valid only in a table", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const table = await appendOne(app, page, {
      table: { table_width: 2, children: [row([], [])] },
    });
    const add = (id: string, block: object) =>
      app.call(`PATCH /v2/blocks/${id}/children`, { body: { children: [block] } });
    assertEquals((await add(table.id, row([], []))).status, 200);
    for (
      const [id, block] of [
        [table.id, row([])],
        [table.id, row([], [], [])],
        [table.id, paragraph("x")],
        [page, row([], [])],
        [page, { table: { table_width: 2, children: [row([])] } }],
        [page, { table: { table_width: 2, children: [] } }],
      ] as const
    ) {
      assertEquals(refusal(await add(id, block)), [400, "validation_error"], JSON.stringify(block));
    }
    assertEquals((await childrenOf(app, table.id)).length, 2);
    assertEquals((await childrenOf(app, page)).length, 1);
  }));

Deno.test("a column list accepts only columns, and columns are valid only in a column list", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const column = { column: { children: [paragraph("x")] } };
    const list = await appendOne(app, page, { column_list: { children: [column, column] } });
    const [first = ""] = idsOf(await childrenOf(app, list.id));
    const add = (id: string, block: object) =>
      app.call(`PATCH /v2/blocks/${id}/children`, { body: { children: [block] } });
    assertEquals((await add(list.id, column)).status, 200);
    assertEquals((await add(first, paragraph("y"))).status, 200);
    for (
      const [id, block] of [
        [list.id, paragraph("x")],
        [page, column],
        [first, column],
        [page, { column_list: { children: [column] } }],
        [page, { column_list: { children: [column, { column: { children: [] } }] } }],
      ] as const
    ) {
      assertEquals(refusal(await add(id, block)), [400, "validation_error"], JSON.stringify(block));
    }
    assertEquals((await childrenOf(app, list.id)).length, 3);
    assertEquals(textsOf(await childrenOf(app, first)), ["x", "y"]);
  }));

Deno.test("append accepts 1 to 100 blocks at every level", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const add = (children: readonly object[]) =>
      app.call(`PATCH /v2/blocks/${page}/children`, { body: { children } });
    const added = await add(many(100));
    assertEquals(textsOf(added.json.results), many(100).map((_, n) => `${n}`));
    for (const children of [[], many(101), [toggle("x", many(101))]]) {
      assertEquals(refusal(await add(children)), [400, "validation_error"]);
    }
    const without = await app.call(`PATCH /v2/blocks/${page}/children`, { body: {} });
    assertEquals(without.json.errors[0].pointer, "/children");
    assertEquals((await childrenOf(app, page)).length, 100);
  }));

Deno.test("append limits the total number of blocks and writes nothing beyond it", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const dividers = (count: number) => Array.from({ length: count }, () => ({ divider: {} }));
    const rest = LIMITS.blocksPerRequest / 100 - 1;
    const full = Array.from({ length: 100 }, () => toggle("x", dividers(rest)));
    const tooMany = full.with(99, toggle("x", dividers(rest + 1)));
    const add = (children: readonly object[]) =>
      app.call(`PATCH /v2/blocks/${page}/children`, { body: { children } });
    const refused = await add(tooMany);
    assertEquals([...refusal(refused), refused.json.errors[0].pointer], [
      ...[400, "validation_error", "/children"],
    ]);
    assertEquals(await childrenOf(app, page), []);
    const added = await add(full);
    assertEquals([added.status, added.json.results.length], [200, 100]);
    const last = added.json.results.at(-1);
    assert(last.has_children);
    assertEquals((await childrenOf(app, last.id)).length, rest);
  }));

Deno.test("a tree with any issue is not written, and every issue is reported", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const children = [
      paragraph("fine"),
      toggle("fine", [paragraph("fine"), { divider: { color: "red" } }]),
      { child_page: { title: "x" } },
      { paragraph: {} },
      { nonsense: {} },
    ];
    const refused = await app.call(`PATCH /v2/blocks/${page}/children`, { body: { children } });
    assertEquals(refusal(refused), [400, "validation_error"]);
    const pointers = refused.json.errors.map((issue: { pointer: string }) => issue.pointer);
    for (
      const pointer of [
        "/children/1/toggle/children/1/divider/color",
        "/children/3/paragraph/rich_text",
      ]
    ) {
      assert(pointers.includes(pointer), `${pointer} in ${pointers}`);
    }
    assertEquals(await childrenOf(app, page), []);
  }));
