import { assertEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";

Deno.test("search on PostgreSQL is answered 501", async () => {
  await withApp(async (app) => {
    for (const body of [{}, { query: "plan" }]) {
      const { status, json } = await app.call("POST /v2/search", { body });
      assertEquals([status, json.code], [501, "not_implemented"]);
    }
  });
});
