import { endpoints } from "../../src/api/endpoints.ts";
import { routeName } from "../../src/http/endpoint.ts";
import { assertEquals, assertMatch } from "../assert.ts";
import { withApp } from "../support/app.ts";
import { childrenOf, idsOf, newPage, paragraph, succeed, text, textsOf } from "./driver.ts";
import { assertSame, MINE, SECRET, THEIRS, withTwo } from "./two_workspaces.ts";

const children = [paragraph("x")];

/** Bodies to send to routes that accept one, besides an empty body. */
const BODIES = new Map<string, readonly object[]>([
  ["PATCH /v2/pages/:page_id", [
    { properties: { title: text("x") } },
    { in_trash: true },
    { archived: false },
    { icon: { emoji: "no" } },
  ]],
  ["PATCH /v2/blocks/:block_id", [
    { paragraph: { rich_text: [] } },
    { divider: {} },
    { in_trash: true },
    { archived: false },
  ]],
  ["PATCH /v2/databases/:database_id", [
    { title: text("x") },
    { properties: { New: { number: {} } } },
    { in_trash: true },
    { archived: false },
  ]],
  ["POST /v2/databases/:database_id/query", [{}, { start_cursor: "x" }, { in_trash: true }]],
  ["PATCH /v2/blocks/:block_id/children", [{ children }, { children, after: "0".repeat(32) }]],
]);

Deno.test("every route treats another workspace's id like an unknown id", () =>
  withTwo(async (two) => {
    const routes = endpoints.filter(({ path }) => path.includes("_id"));
    assertEquals(routes.length >= 10, true);
    for (const endpoint of routes) {
      const name = routeName(endpoint);
      const bodies = BODIES.get(name) ?? (endpoint.method === "POST" ? [{}] : [undefined]);
      for (const body of bodies) {
        for (const headers of [{}, { "if-match": '"x"' }, { "if-none-match": "*" }]) {
          await assertSame(two, (id) => [
            name.replace(":property_id", "title").replace(/:\w+/, id),
            { body, headers },
          ]);
        }
      }
    }
  }));

Deno.test("a parent in another workspace fails like an unknown one", () =>
  withTwo(async (two) => {
    for (const kind of ["page_id", "database_id"]) {
      await assertSame(two, (id) => ["POST /v2/pages", {
        body: { parent: { [kind]: id }, properties: {} },
      }]);
    }
  }));

Deno.test("an append after another workspace's block fails like one after an unknown block", () =>
  withTwo(async (two) => {
    const route = `PATCH /v2/blocks/${two.page}/children`;
    await assertSame(two, (after) => [route, { body: { children, after } }]);
    await assertSame(two, (id) => [route, {
      body: { children, position: { type: "after_block", after_block: { id } } },
    }]);
    assertEquals((await childrenOf(two.app, two.page, { token: two.token })).length, 1);
  }));

Deno.test("mentions of another workspace's users and pages have neither name nor title", () =>
  withTwo(async (two) => {
    const { app, token, foreign } = two;
    for (const [, id] of foreign) {
      const title = ["user", "page", "database"].map((kind) => ({ mention: { [kind]: { id } } }));
      const links = [
        { paragraph: { rich_text: title } },
        { link_to_page: { page_id: id } },
      ];
      const page = await newPage(app, { token, children: links });
      const body = { properties: { title } };
      const written = await app.call(`PATCH /v2/pages/${page}`, { token, body });
      const read = await app.call(`GET /v2/pages/${page}`, { token });
      const list = await app.call(`GET /v2/blocks/${page}/children`, { token });
      const items = await app.call(`GET /v2/pages/${page}/properties/title`, { token });
      for (const answer of [written, read, list, items]) {
        assertEquals([answer.status, answer.text.includes(SECRET)], [200, false]);
        assertMatch(answer.text, /"@Anonymous".*"Untitled".*"Untitled"/);
      }
    }
  }));

Deno.test("the id of a block is not the id of a page", () =>
  withTwo(async (two) => {
    const { app, token, page } = two;
    const blocks = idsOf(await childrenOf(app, page, { token }));
    const own = { ...two, foreign: blocks.map((id) => ["own block", id] as const) };
    for (const route of ["GET", "DELETE", "PATCH"].map((method) => `${method} /v2/pages/`)) {
      const body = route.startsWith("PATCH") ? { in_trash: true } : undefined;
      await assertSame(own, (id) => [`${route}${id}`, { body }]);
    }
    await assertSame(own, (id) => [`GET /v2/pages/${id}/properties/title`, {}]);
    await assertSame(own, (page_id) => ["POST /v2/pages", {
      body: { parent: { page_id }, properties: {} },
    }]);
    assertEquals(idsOf(await childrenOf(app, page, { token })), blocks);
  }));

Deno.test("two workspaces with the same users and content do not see each other", () =>
  withApp(async (app) => {
    const sides = await Promise.all([MINE, THEIRS].map(async (workspace) => {
      const token = await app.mint({ workspace, sub: "ada", name: `Ada of ${workspace}` });
      const key = { "idempotency-key": "same" };
      const body = { parent: { workspace: true }, properties: { title: text("Home") } };
      const { id } = await succeed(app, "POST /v2/pages", { token, body, headers: key });
      const added = { children: [paragraph(workspace)] };
      await succeed(app, `PATCH /v2/blocks/${id}/children`, { token, body: added, headers: key });
      return { workspace, token, page: id };
    }));
    for (const { workspace, token, page } of sides) {
      assertEquals(textsOf(await childrenOf(app, page, { token })), [workspace]);
      const me = await succeed(app, "GET /v2/users/me", { token });
      assertEquals(me.name, `Ada of ${workspace}`);
      for (const other of sides.filter((side) => side.page !== page)) {
        const hidden = await app.call(`GET /v2/pages/${other.page}`, { token });
        assertEquals(hidden.status, 404);
        await app.call(`DELETE /v2/pages/${other.page}`, { token });
        const there = await succeed(app, `GET /v2/pages/${other.page}`, { token: other.token });
        assertEquals(there.in_trash, false);
      }
    }
  }));
