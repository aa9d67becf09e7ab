import { assertEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";

Deno.test("search on PostgreSQL is answered 501", async () => {
  await withApp(async (app) => {
    for (const path of ["search", "search/semantic"]) {
      const { status, json } = await app.call(`POST /v2/${path}`, { body: { query: "plan" } });
      assertEquals([status, json.code], [501, "not_implemented"]);
    }
  });
});
