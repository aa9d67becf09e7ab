import { assert, assertEquals, assertMatch } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import {
  append,
  childrenOf,
  idsOf,
  newPage,
  paragraph,
  refusal,
  succeed,
  textsOf,
  toggle,
} from "./driver.ts";

const COUNT = 250;
const names = Array.from({ length: COUNT }, (_, n) => `${n}`);

async function filledPage(app: TestApp, count = COUNT): Promise<string> {
  const page = await newPage(app);
  for (let start = 0; start < count; start += 100) {
    const children = names.slice(start, Math.min(start + 100, count)).map(paragraph);
    await append(app, page, { children });
  }
  return page;
}

function list(app: TestApp, id: string, query = ""): Promise<Answer> {
  return app.call(`GET /v2/blocks/${id}/children${query}`);
}

Deno.test("250 children are listed once each and in order, with any page size", () =>
  withApp(async (app) => {
    const page = await filledPage(app);
    for (const pageSize of [7, 99, 100]) {
      assertEquals(textsOf(await childrenOf(app, page, { pageSize })), names);
    }
    for (const query of ["", "?page_size=0", "?page_size=100"]) {
      const { json } = await list(app, page, query);
      assertEquals([json.results.length, json.has_more], [100, true]);
    }
    const one = await list(app, page, "?page_size=1");
    assertEquals(textsOf(one.json.results), ["0"]);
  }));

Deno.test("the last page has no next cursor, even if it is full", () =>
  withApp(async (app) => {
    const page = await filledPage(app, 10);
    const first = await list(app, page, "?page_size=5");
    const second = await list(app, page, `?page_size=5&start_cursor=${first.json.next_cursor}`);
    assertEquals([first.json.has_more, second.json.has_more], [true, false]);
    assertEquals(second.json.next_cursor, null);
    assertEquals((await list(app, page, "?page_size=10")).json.next_cursor, null);
    assertEquals((await list(app, await newPage(app))).json.next_cursor, null);
  }));

Deno.test("inserts and deletes between two pages neither repeat nor hide other children", () =>
  withApp(async (app) => {
    const page = await filledPage(app, 10);
    const ids = idsOf(await childrenOf(app, page));
    const first = await list(app, page, "?page_size=5");
    assertEquals(textsOf(first.json.results), names.slice(0, 5));
    await append(app, page, { children: [paragraph("new start")], position: { type: "start" } });
    await append(app, page, { children: [paragraph("new behind")], after: ids[6] });
    // One of them is the last child of the first page.
    for (const deleted of [0, 4, 7]) await app.call(`DELETE /v2/blocks/${ids[deleted]}`);
    const rest = await list(app, page, `?start_cursor=${first.json.next_cursor}`);
    assertEquals(textsOf(rest.json.results), ["5", "6", "new behind", "8", "9"]);
  }));

Deno.test("a cursor stays short after many inserts at the same position", () =>
  withApp(async (app) => {
    const page = await filledPage(app, 2);
    const [first] = await app.store.children("default", page, { limit: 1 });
    assert(first !== undefined);
    const { hasChildren: _, ...node } = first;
    const between = {
      ...node,
      id: crypto.randomUUID(),
      position: `${node.position}${"V".repeat(2_000)}`,
    };
    await app.store.commit("default", [{ op: "insert", node: between }]);
    const { next_cursor: cursor } = (await list(app, page, "?page_size=2")).json;
    const rest = await succeed(app, `GET /v2/blocks/${page}/children?start_cursor=${cursor}`);
    assertEquals(textsOf(rest.results), ["1"]);
  }));

Deno.test("a cursor works with any page size, and only for its own list", () =>
  withApp(async (app) => {
    const page = await filledPage(app, 10);
    const other = await filledPage(app, 10);
    const { next_cursor: cursor } = (await list(app, page, "?page_size=5")).json;
    assertEquals(
      (await list(app, page, `?page_size=2&start_cursor=${cursor}`)).json.results.length,
      2,
    );
    const title = await newPage(app, { title: "x" });
    const [head, tail] = [cursor.slice(0, 20), cursor.slice(20)];
    const flipped = `${head}${tail.startsWith("A") ? "B" : "A"}${tail.slice(1)}`;
    for (
      const [id, bad] of [
        [other, cursor],
        [page, flipped],
        [page, `${cursor}A`],
        [page, cursor.slice(0, -1)],
        [page, ""],
        [page, "nonsense"],
        [page, page.replaceAll("-", "")],
        [page, "A".repeat(2_000)],
      ] as const
    ) {
      const refused = await list(app, id, `?start_cursor=${bad}`);
      assertEquals(refusal(refused), [400, "validation_error"], bad);
      assertMatch(refused.json.message, /start_cursor/);
      assertEquals(refused.json.errors[0].pointer, "/start_cursor");
    }
    const property = await app.call(
      `GET /v2/pages/${title}/properties/title?start_cursor=${cursor}`,
    );
    assertEquals(refusal(property), [400, "validation_error"]);
    const twice = await list(app, page, `?start_cursor=${cursor}&start_cursor=${cursor}`);
    assertMatch(twice.json.message, /start_cursor should be given once/);
  }));

Deno.test("a cursor is opaque and invalid in another workspace", () =>
  withApp(async (app) => {
    const page = await filledPage(app, 10);
    const { next_cursor: cursor } = (await list(app, page, "?page_size=5")).json;
    const token = await app.mint({ workspace: "other" });
    const theirs = await newPage(app, { token, children: [paragraph("a"), paragraph("b")] });
    const refused = await app.call(`GET /v2/blocks/${theirs}/children?start_cursor=${cursor}`, {
      token,
    });
    assertEquals(refusal(refused), [400, "validation_error"]);
    const [node] = (await app.store.children("default", page, { limit: 5 })).slice(4);
    const held = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    assert(node !== undefined && !held.includes(node.position) && !held.includes(node.id));
  }));

Deno.test("page_size is a whole number from 0 to 100", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    for (const size of ["101", "-1", "1.5", "x", "", "1e1", "0x10", " 5", "999999999999999999"]) {
      const refused = await list(app, page, `?page_size=${encodeURIComponent(size)}`);
      assertEquals(refusal(refused), [400, "validation_error"], size);
      assertEquals(refused.json.errors[0].pointer, "/page_size");
    }
    assertMatch((await list(app, page, "?page_size=101")).json.message, /should be ≤ `100`/);
    assertMatch((await list(app, page, "?page_size=x")).json.message, /should be a number/);
  }));

Deno.test("has_children is correct after append, delete and restore", () =>
  withApp(async (app) => {
    const page = await newPage(app, { children: [toggle("1")] });
    const [parent = ""] = idsOf(await childrenOf(app, page));
    const has = async () => (await succeed(app, `GET /v2/blocks/${parent}`)).has_children;
    assertEquals(await has(), false);
    const [a, b] = idsOf(await append(app, parent, { children: [paragraph("a"), paragraph("b")] }));
    assertEquals(await has(), true);
    await succeed(app, `DELETE /v2/blocks/${a}`);
    assertEquals(await has(), true);
    await succeed(app, `DELETE /v2/blocks/${b}`);
    assertEquals(await has(), false);
    assertEquals(await childrenOf(app, parent), []);
    await succeed(app, `PATCH /v2/blocks/${b}`, { body: { archived: false } });
    assertEquals(await has(), true);
    assertEquals(textsOf(await childrenOf(app, parent)), ["b"]);
  }));
