/**
 * Conditional requests (RFC 9110 section 13) over strong entity tags.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { ifMatch, ifNoneMatch } from "../shared/std.ts";
import type { Call } from "./endpoint.ts";
import { tagRedacted } from "./redact.ts";
import { type Access, hiddenOn, type Route } from "./route.ts";

const TAG_LIST = /^(?:\*|(?:W\/)?"[^"]*"(?: *, *(?:W\/)?"[^"]*")*)$/;

/** What a client holds, or does not: the two fields as sent. */
export interface Preconditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** Whether a client asks for anything by them. */
export function isConditional({ ifMatch, ifNoneMatch }: Preconditions): boolean {
  return ifMatch !== undefined || ifNoneMatch !== undefined;
}

// What `/v2/openapi/meta` calls the etag, sent without the quotes that the field asks for.
const BARE_TAG = /^[\w.-]+$/;

/** Reads both fields; malformed ones are a 400, never a silent pass. */
export function readPreconditions(headers: ReadonlyMap<string, string>): Preconditions {
  return {
    ifMatch: tagList(headers, "if-match"),
    ifNoneMatch: tagList(headers, "if-none-match"),
  };
}

function tagList(headers: ReadonlyMap<string, string>, name: string): string | undefined {
  const sent = headers.get(name);
  const value = sent !== undefined && BARE_TAG.test(sent) ? `"${sent}"` : sent;
  if (value !== undefined && !TAG_LIST.test(value)) {
    throw new AppError("invalid_request", `${name} is not a list of entity tags`);
  }
  return value;
}

/** Whether a read may be answered with 304: the client holds this very representation. */
export function isNotModified(conditions: Preconditions, etag: string): boolean {
  return conditions.ifNoneMatch !== undefined && !ifNoneMatch(conditions.ifNoneMatch, etag);
}

export interface ResourceState {
  /** The tag of what this client would be sent now. */
  readonly etag: string;
  /** On a write, all tags that name the current state; undefined on a read. */
  readonly state: readonly string[] | undefined;
}

/** Throws `precondition_failed` where the current representation is not what the client expects. */
export function requireMatch(conditions: Preconditions, { etag, state }: ResourceState): void {
  const { ifMatch: expected } = conditions;
  const tags = state ?? [etag];
  const changed = expected !== undefined && !tags.some((tag) => isMatch(expected, tag));
  const known = state?.some((tag) => isNotModified(conditions, tag)) ?? false;
  if (changed || known) throw preconditionFailed(etag);
}

/**
 * Throws `precondition_failed` if `If-Match` does not name the representation that a read selects.
 * `*` matches any representation, a list only one that has a strong tag (RFC 9110 section 13.1.1).
 */
export function requireSelected({ ifMatch: expected }: Preconditions, etag?: string): void {
  if (expected !== undefined && !isMatch(expected, etag)) throw preconditionFailed(etag);
}

function isMatch(expected: string, etag: string | undefined): boolean {
  return expected === "*" || ifMatch(expected, etag);
}

function preconditionFailed(etag: string | undefined): AppError {
  return new AppError("precondition_failed", "The object is not as the precondition expects", {
    headers: etag === undefined ? {} : { etag },
  });
}

export interface PreconditionContext {
  readonly route: Pick<Route<unknown>, "method" | "holdsGuarded">;
  readonly access: Access;
  readonly conditions: Preconditions;
}

/** How a call has its preconditions judged. */
export function createPreconditions(
  { route, access, conditions }: PreconditionContext,
): Pick<Call<unknown, unknown, unknown>, "requireMatch" | "isHeld"> {
  const isRead = route.method === "GET";
  const sent = (etag: string) => tagRedacted(etag, hiddenOn(route, access));
  // Another route may have shown this reader what it writes to, with fields hidden or none.
  const stateOf = (etag: string) => isRead ? undefined : [etag, tagRedacted(etag, access.hidden)];
  return {
    requireMatch: (etag) => {
      // Asked first: where fields are hidden a tag is a hash.
      if (!isConditional(conditions)) return;
      requireMatch(conditions, { etag: sent(etag), state: stateOf(etag) });
    },
    isHeld: (etag) => isRead && isNotModified(conditions, sent(etag)),
  };
}
