import { assert, assertEquals } from "../assert.ts";
import { eventually } from "../support/eventually.ts";
import { busyTimes, niceValues, sendAll, withServer } from "../support/hostile_load.ts";
import { hostileTexts } from "../support/hostile_markdown.ts";

const TEXTS = 50;

Deno.test("after the last answer to 50 hostile texts of 12 clients, no thread works on them", () =>
  withServer(async (server) => {
    const statuses = await sendAll(server, hostileTexts(TEXTS, [40_000, 8_000]));
    // The first thread makes vectors of the pages that were created, in slices, whatever they hold.
    const [busiest] = (await busyTimes(server.pid, 1_000))
      .filter(({ name }) => !name.startsWith(`${server.pid} `));
    assert(busiest !== undefined && busiest.time < 100, JSON.stringify(busiest));
    assertEquals(statuses.filter((status) => status !== 200 && status !== 400), []);
    assertEquals(statuses.length, TEXTS);
    assert(statuses.includes(400), "some were refused");
    assertEquals(await server.create("# small", { workspace: "other", sub: "someone" }), 200);
  }));

Deno.test("large texts are read at a lower priority than requests and small texts", () =>
  withServer(async (server) => {
    const as = { workspace: "w", sub: "someone" };
    assertEquals(await server.create("# small", as), 200);
    const before = [...(await niceValues(server.pid)).values()];
    assert(before.length > 1 && before.every((nice) => nice === 0), String(before));
    assertEquals(await server.create("A paragraph.\n\n".repeat(400), as), 200);
    // The thread that read it may have been replaced by one that is still starting.
    const values = await eventually(async () => {
      const after = await niceValues(server.pid);
      assertEquals(Math.max(...after.values()), 5);
      return after;
    });
    assertEquals(values.get("deno"), 0);
  }));
