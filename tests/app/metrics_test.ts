import { VERSION } from "../../src/app/version.ts";
import { createMetrics } from "../../src/shared/metrics.ts";
import { NEW_PAGE } from "../security/support.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "../assert.ts";
import { type TestApp, withApp } from "../support/app.ts";

const PAGE = '{method="GET",route="/v2/pages/:page_id"';

/** Returns the lines of `/metrics`. */
async function scrape({ call }: TestApp): Promise<string[]> {
  return (await call("GET /metrics", { token: null })).text.split("\n");
}

/** Returns the value of a series; undefined if there is none. */
function valueOf(lines: readonly string[], series: string): number | undefined {
  const line = lines.find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

Deno.test("requests are counted by the pattern of their route, and paths are in no series", () =>
  withApp(async (app) => {
    const secret = "0190c0de-0000-7000-8000-5ec4e7000000";
    await app.call(`GET /v2/pages/${secret}`);
    await app.call(`GET /v2/pages/${secret}`, { token: null });
    await app.call(`GET /nowhere/${secret}?token=${secret}`);
    const lines = await scrape(app);
    assertEquals(valueOf(lines, `recto_http_requests_total${PAGE},status="404"}`), 1);
    assertEquals(valueOf(lines, `recto_http_requests_total${PAGE},status="401"}`), 1);
    assertEquals(valueOf(lines, `recto_http_request_duration_seconds_count${PAGE}}`), 2);
    const unmatched = 'recto_http_requests_total{method="GET",route="unmatched",status="404"}';
    assertEquals(valueOf(lines, unmatched), 1);
    assertEquals(valueOf(lines, 'recto_http_errors_total{code="unauthorized"}'), 1);
    assert(!lines.join("").includes(secret));
  }));

Deno.test("a scrape is in flight itself, and tells the build and its memory", () =>
  withApp(async (app) => {
    const lines = await scrape(app);
    assertEquals(valueOf(lines, "recto_http_requests_in_flight"), 1);
    assertEquals(valueOf(lines, "recto_processes"), 1);
    const build = lines.find((line) => line.startsWith("recto_build_info{")) ?? "";
    assertMatch(build, /version="\d+\.\d+\.\d+".*database="sqlite",files="disk"/);
    assertStringIncludes(build, VERSION);
    assert((valueOf(lines, "process_resident_memory_bytes") ?? 0) > 10_000_000);
    assert((valueOf(lines, "process_start_time_seconds") ?? 0) > 1_700_000_000);
  }));

Deno.test("caches, Workers, work in the background and files are measured", () => {
  const time = Date.now();
  return withApp(async (app) => {
    const { json: { id } } = await app.call("POST /v2/pages", { body: NEW_PAGE });
    for (const _ of [1, 2]) await app.call(`GET /v2/pages/${id}`);
    const lines = await scrape(app);
    const hits = (cache: string) => [
      valueOf(lines, `recto_cache_requests_total{cache="${cache}",result="hit"}`),
      valueOf(lines, `recto_cache_requests_total{cache="${cache}",result="miss"}`),
    ];
    assertEquals(hits("tokens"), [2, 1]);
    assertEquals(hits("pages"), [1, 1]);
    assertEquals(valueOf(lines, 'recto_background_backlog{queue="vectors"}'), 1);
    assertEquals(valueOf(lines, 'recto_workers{state="busy"}'), 0);
    assertEquals(valueOf(lines, "recto_worker_tasks_waiting"), 0);
    assertEquals(valueOf(lines, "recto_files"), undefined, "Files are counted in a minute");
  }, { now: () => time });
});

Deno.test("writes that wait for another write of their workspace are measured", () =>
  withApp(async (app) => {
    const write = () => app.call("POST /v2/pages", { body: NEW_PAGE });
    await write();
    const waits = async () =>
      valueOf(await scrape(app), "recto_workspace_lock_wait_seconds_count") ?? 0;
    const before = await waits();
    await Promise.all([write(), write(), write()]);
    assertEquals(await waits() - before, 2);
  }));

Deno.test("other parts of the service can register metrics", async () => {
  const metrics = createMetrics();
  metrics.register({
    name: "recto_backup_bytes",
    type: "gauge",
    help: "Size of the last backup.",
    read: () => [[{}, 42]],
  });
  await withApp(async (app) => {
    assertEquals(valueOf(await scrape(app), "recto_backup_bytes"), 42);
  }, { metrics });
});

Deno.test("reads of the metrics that come together are one read", async () => {
  const metrics = createMetrics();
  const gate = Promise.withResolvers<void>();
  let reads = 0;
  metrics.register({
    name: "recto_slow",
    type: "gauge",
    help: "It takes a while.",
    read: async () => {
      reads++;
      await gate.promise;
      return [[{}, reads]];
    },
  });
  await withApp(async ({ call }) => {
    const ask = () => call("GET /metrics", { token: null });
    const answers = Promise.all([ask(), ask(), ask()]);
    do await new Promise((resolve) => setTimeout(resolve, 0)); while (reads === 0);
    gate.resolve();
    for (const { text } of await answers) assertMatch(text, /^recto_slow 1$/m);
    assertMatch((await ask()).text, /^recto_slow 2$/m);
  }, { metrics });
});
