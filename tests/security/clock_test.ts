import { assert, assertEquals } from "../assert.ts";
import { append, idsOf, newPage, paragraph, succeed } from "../api/driver.ts";
import { withApp } from "../support/app.ts";

const HOUR = 3_600_000;
const JUMPS = [0, HOUR, -HOUR, 25 * HOUR, -48 * HOUR, 0];

Deno.test("Case 72: a clock that jumps ends no cursor, repeats no id and lets no token in too early or late", () => {
  let offset = 0;
  return withApp(async (app) => {
    const page = await newPage(app);
    await append(app, page, { children: ["a", "b", "c"].map(paragraph) });
    const list = (token: string, more = "") =>
      succeed(app, `GET /v2/blocks/${page}/children?page_size=1${more}`, { token });
    const first = await list(await app.mint({ ttlSeconds: 60 }));
    const [start, ids] = [Date.now(), [page]];
    for (const [index, jump] of JUMPS.entries()) {
      offset = jump;
      const token = await app.mint({ ttlSeconds: 60 });
      ids.push(await newPage(app, { token }));
      const next = await list(token, `&start_cursor=${first.next_cursor}`);
      assertEquals(next.results.length, 1);
      assert(!idsOf(next.results).includes(first.results[0].id));
      const early = await app.mint({ ttlSeconds: 60, now: start, sub: `user ${index}` });
      const { status } = await app.call("GET /v2/users/me", { token: early });
      assertEquals(status, jump === 0 ? 200 : 401, `A token of the start, ${jump} ms on`);
    }
    assertEquals(new Set(ids).size, ids.length);
  }, { now: () => Date.now() + offset });
});
