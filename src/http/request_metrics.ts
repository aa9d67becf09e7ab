/**
 * Counts requests by route: what they cost, how they ended, and why some were refused.
 *
 * @module
 */
import { ERRORS } from "../shared/errors.ts";
import { createHistogram, type Histogram } from "../shared/histogram.ts";
import type { RequestRecord } from "../shared/log.ts";
import type { MetricSource, Sample } from "../shared/metrics.ts";

export interface RequestMetrics {
  /** Counts a request; it allocates nothing. */
  record(record: Pick<RequestRecord, "method" | "route" | "status" | "code" | "duration">): void;
  readonly sources: readonly MetricSource[];
}

/** A path that is served, with a method. */
export interface CountedRoute {
  readonly method: string;
  readonly path: string;
}

/** Paths and methods without a route, so that clients cannot add series. */
const UNMATCHED = "unmatched";
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const OTHER = "other";
const SUCCESSES = [200, 204, 206, 302, 304];
const STATUSES = [...new Set([...SUCCESSES, ...Object.values(ERRORS).map(({ status }) => status)])];
const MAX_STATUS = 600;

/** The requests of one method on one route. */
interface RouteCounts {
  readonly method: string;
  readonly route: string;
  /** One for each status, and a last one for all others. */
  readonly statuses: Float64Array;
  readonly durations: Histogram;
}

/** The index of each status in {@linkcode RouteCounts.statuses}. */
const statusIndexes = new Uint8Array(MAX_STATUS).fill(STATUSES.length);
STATUSES.forEach((status, index) => statusIndexes[status] = index);

/** Creates counts for these routes. */
export function createRequestMetrics(served: Iterable<CountedRoute>): RequestMetrics {
  const routes = new Map<string, Map<string, RouteCounts>>();
  const add = (route: string, method: string): RouteCounts =>
    routes.getOrInsertComputed(route, () => new Map())
      .getOrInsertComputed(method, () => newCounts(method, route));
  for (const { path, method } of served) {
    add(path, method);
    if (method === "GET") add(path, "HEAD");
  }
  const unmatched = new Map(METHODS.map((method) => [method, add(UNMATCHED, method)]));
  const others = add(UNMATCHED, OTHER);
  const codes = new Map<string, { count: number }>(
    Object.keys(ERRORS).map((code) => [code, { count: 0 }]),
  );

  function countsOf(route: string | null, method: string): RouteCounts {
    const own = route === null ? undefined : routes.get(route)?.get(method);
    return own ?? unmatched.get(method) ?? others;
  }

  const all = (): RouteCounts[] => [...routes.values()].flatMap((one) => [...one.values()]);
  return {
    record({ method, route, status, code, duration }) {
      const { statuses, durations } = countsOf(route, method);
      const index = statusIndexes[status] ?? STATUSES.length;
      statuses[index] = (statuses[index] ?? 0) + 1;
      durations.observe(duration);
      const refused = code === null ? undefined : codes.get(code);
      if (refused !== undefined) refused.count++;
    },
    sources: [{
      name: "recto_http_requests_total",
      type: "counter",
      help: "Requests by method, route and status.",
      read: () => all().flatMap(statusSamples),
    }, {
      name: "recto_http_request_duration_seconds",
      type: "histogram",
      help: "Time from the request's header to the response's header, by method and route.",
      read: () =>
        all().flatMap(({ method, route, durations }) => durations.samples({ method, route })),
    }, {
      name: "recto_http_errors_total",
      type: "counter",
      help: "Requests that were refused or failed, by error code.",
      read: () => [...codes].map(([code, { count }]): Sample => [{ code }, count]),
    }],
  };
}

function newCounts(method: string, route: string): RouteCounts {
  const statuses = new Float64Array(STATUSES.length + 1);
  return { method, route, statuses, durations: createHistogram() };
}

function statusSamples({ method, route, statuses }: RouteCounts): Sample[] {
  return [...statuses].flatMap((count, index): Sample[] => {
    const status = STATUSES[index] === undefined ? OTHER : String(STATUSES[index]);
    return count === 0 ? [] : [[{ method, route, status }, count]];
  });
}
