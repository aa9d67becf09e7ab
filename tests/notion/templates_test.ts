import { assertEquals } from "../assert.ts";
import { withNotion } from "./driver.ts";

const VERSION = "2025-09-03";

Deno.test("a data source has no templates; one that does not exist is not found", () =>
  withNotion(async ({ notion, refused }) => {
    const database = await notion("POST /databases", {
      parent: { workspace: true },
      initial_data_source: { properties: { Name: { title: {} } } },
    }, VERSION);
    const [{ id }] = database.data_sources;
    const list = await notion(`GET /data_sources/${id}/templates?name=a`, undefined, VERSION);
    assertEquals([list.templates, list.has_more, list.next_cursor], [[], false, null]);
    const unknown = `GET /data_sources/${crypto.randomUUID()}/templates`;
    assertEquals((await refused(unknown, undefined, VERSION)).code, "object_not_found");
    const before = await refused(`GET /data_sources/${id}/templates`);
    assertEquals(before.code, "invalid_request_url");
  }));
