/**
 * Header fields of every response to a request, whatever its route.
 *
 * @module
 */
import type { Drain } from "./drain.ts";
import type { Cors } from "./cors.ts";
import type { ParsedRequest } from "./request.ts";
import { createEmptyResponse, type Fields } from "./response_writer.ts";
import type { RouteMatch } from "./router.ts";
import type { Trace } from "./trace.ts";

interface CommonFieldSources {
  readonly cors: Cors;
  /** Tells whether the server is stopping, so that connections should close. */
  readonly drain: Pick<Drain, "isDraining">;
}

/** Returns the fields of every response to this request, including errors. */
export function commonFields({ cors, drain }: CommonFieldSources, trace: Trace): Fields {
  return [
    ["x-request-id", trace.requestId],
    ...trace.fields,
    ...(trace.nonce === undefined ? [] : [["dpop-nonce", trace.nonce] as const]),
    ...cors.fields(trace.origin),
    ...(drain.isDraining() ? [["connection", "close"] as const] : []),
  ];
}

/** Returns the response to OPTIONS, including CORS preflights. */
export function respondToOptions<R>(
  common: CommonFieldSources,
  { headers }: ParsedRequest,
  { matched: { entry }, trace }: { readonly matched: RouteMatch<R>; readonly trace: Trace },
): Response {
  const isPreflight = headers.has("access-control-request-method");
  const patch: Fields = entry.methods.has("PATCH")
    ? [["accept-patch", "application/json, application/merge-patch+json"]]
    : [];
  const fields: Fields = [
    ["allow", entry.allow],
    ...patch,
    ...commonFields(common, trace),
    ...(isPreflight ? common.cors.preflightFields(trace.origin, entry.allow) : []),
  ];
  return createEmptyResponse(204, { fields });
}
