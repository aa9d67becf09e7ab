import { append, newPage, paragraph } from "../api/driver.ts";
import { assertEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";
import { outcome } from "./support.ts";

// Case 59: a cursor is a place in one list of one workspace and nothing else. Who uses it is judged by
// their own token, page by page, so it is bound to no caller, no page size and no end.
Deno.test("a cursor gives nobody more than their own token does, and hides the rest once that is lost", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    await append(app, page, { children: ["a", "b", "c", "d"].map(paragraph) });
    const path = `GET /v2/blocks/${page}/children`;
    const first = await app.call(`${path}?page_size=1`);
    const next = `${path}?start_cursor=${first.json.next_cursor}`;
    const ask = async (route: string, claims: Parameters<typeof app.mint>[0]) =>
      outcome(await app.call(route, { token: await app.mint(claims) }));
    // The same user and another one, with any size of the page.
    for (const sub of ["ada", "bob"]) {
      const token = await app.mint({ sub });
      assertEquals((await app.call(next, { token })).json.results.length, 3);
      assertEquals((await app.call(`${next}&page_size=2`, { token })).json.results.length, 2);
    }
    assertEquals(await ask(next, { sub: "ada", scope: "pages.read" }), "403 forbidden");
    assertEquals(await ask(next, { sub: "ada", workspace: "other" }), "404 object_not_found");
    assertEquals(outcome(await app.call(next, { token: null })), "401 unauthorized");
    const elsewhere = await newPage(app);
    const other = next.replace(page, elsewhere);
    assertEquals(outcome(await app.call(other)), "400 validation_error");
  }));
