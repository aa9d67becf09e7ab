/**
 * Header fields that follow from the request alone, whatever it asks for.
 *
 * @module
 */
import type { Drain } from "./drain.ts";
import type { Cors } from "./cors.ts";
import type { ParsedRequest } from "./request.ts";
import { createEmptyResponse, type Fields } from "./response_writer.ts";
import type { RouteMatch } from "./router.ts";
import type { Trace } from "./trace.ts";

interface Common {
  readonly cors: Cors;
  /** Whether the server is about to stop, so that connections should close. */
  readonly drain: Pick<Drain, "isDraining">;
}

/** Fields that every answer to this request has, refusals too. */
export function commonFields({ cors, drain }: Common, trace: Trace): Fields {
  const fields: (readonly [string, string])[] = [["x-request-id", trace.requestId]];
  // One by one, since most requests have none of them, and to spread nothing takes a while too.
  for (const field of trace.fields) fields.push(field);
  for (const field of cors.fields(trace.origin)) fields.push(field);
  if (drain.isDraining()) fields.push(["connection", "close"]);
  return fields;
}

/** What a path offers, to a preflight too. */
export function answerOptions<R>(
  common: Common,
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
