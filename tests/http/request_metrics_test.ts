import { createRequestMetrics, type RequestMetrics } from "../../src/http/request_metrics.ts";
import { ERRORS } from "../../src/shared/errors.ts";
import type { Sample } from "../../src/shared/metrics.ts";
import { assert, assertEquals } from "../assert.ts";
import fc from "fast-check";

const PATHS = ["/v2/pages/:page_id", "/v2/search"];
const ROUTES = [
  { method: "GET", path: "/v2/pages/:page_id" },
  { method: "PATCH", path: "/v2/pages/:page_id" },
  { method: "POST", path: "/v2/search" },
];

/** Returns the samples of a metric. */
async function read({ sources }: RequestMetrics, name: string): Promise<readonly Sample[]> {
  return await sources.find((one) => one.name === name)?.read() ?? [];
}

Deno.test("a request counts once: by method, route and status, and by its error", async () => {
  const metrics = createRequestMetrics(ROUTES);
  const found = { method: "GET", route: PATHS[0] ?? "", status: 200, code: null, duration: 2 };
  metrics.record(found);
  metrics.record(found);
  metrics.record({ ...found, status: 404, code: "object_not_found" });
  assertEquals(await read(metrics, "recto_http_requests_total"), [
    [{ method: "GET", route: "/v2/pages/:page_id", status: "200" }, 2],
    [{ method: "GET", route: "/v2/pages/:page_id", status: "404" }, 1],
  ]);
  const errors = await read(metrics, "recto_http_errors_total");
  assertEquals(errors.filter(([, count]) => count > 0), [[{ code: "object_not_found" }, 1]]);
  assertEquals(errors.length, Object.keys(ERRORS).length);
  const durations = await read(metrics, "recto_http_request_duration_seconds");
  assertEquals(durations.at(-1), [{ method: "GET", route: "/v2/pages/:page_id" }, 3, "_count"]);
});

Deno.test("whatever clients send, the number of series is bounded by the routes", async () => {
  const metrics = createRequestMetrics(ROUTES);
  const record = fc.record({
    method: fc.oneof(fc.string(), fc.constantFrom("GET", "PATCH", "POST", "PURGE")),
    route: fc.oneof(fc.constant(null), fc.string(), fc.constantFrom(...PATHS)),
    status: fc.integer({ min: 100, max: 999 }),
    code: fc.oneof(fc.constant(null), fc.string()),
    duration: fc.float({ min: 0, max: 60_000, noNaN: true }),
  });
  fc.assert(fc.property(record, (one) => metrics.record(one)), { numRuns: 2_000 });
  // GET, HEAD and PATCH of the first, POST of the second, and seven methods and others without a route.
  const methods = 4 + 8;
  const statuses = 28;
  const series = await read(metrics, "recto_http_requests_total");
  assert(series.length <= methods * statuses, `${series.length} series`);
  const routes = new Set(series.map(([{ route }]) => route));
  assertEquals(routes, new Set([...PATHS, "unmatched"]));
  assertEquals(series.reduce((sum, [, count]) => sum + count, 0), 2_000);
});

Deno.test("a method that a route does not have adds no series to it", async () => {
  const metrics = createRequestMetrics(ROUTES);
  for (const method of ["HEAD", "DELETE", "OPTIONS", "BREW"]) {
    metrics.record({ method, route: PATHS[0] ?? "", status: 405, code: null, duration: 2 });
  }
  assertEquals(await read(metrics, "recto_http_requests_total"), [
    [{ method: "HEAD", route: "/v2/pages/:page_id", status: "405" }, 1],
    [{ method: "DELETE", route: "unmatched", status: "405" }, 1],
    [{ method: "OPTIONS", route: "unmatched", status: "405" }, 1],
    [{ method: "other", route: "unmatched", status: "405" }, 1],
  ]);
});
