/**
 * Conditional requests (RFC 9110 section 13) with strong entity tags.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import { ifMatch, ifNoneMatch } from "../shared/std.ts";
import type { Call } from "./endpoint.ts";
import { tagRedacted } from "./redact.ts";
import { type Access, hiddenOn, type Route } from "./route.ts";

// The spaces of a list stand beside its commas: of others, the comparison would take quadratic time.
const TAG = String.raw`(?:W/)?"[\x21\x23-\x7E\x80-\xFF]*"`;
const TAG_LIST = new RegExp(`^(?:\\*|${TAG}(?: *, *${TAG})*)$`);

/** `If-Match` and `If-None-Match` as sent. */
export interface Preconditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** Returns whether the request has a precondition. */
export function isConditional({ ifMatch, ifNoneMatch }: Preconditions): boolean {
  return ifMatch !== undefined || ifNoneMatch !== undefined;
}

// The `etag` member of `/v2/openapi/meta`, sent without the quotes that the field requires.
const BARE_TAG = /^[\w.-]+$/;

/** Reads both fields; throws `invalid_request` if one is malformed, rather than ignore it. */
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

/** Returns whether the response may be 304, because the client's copy is current. */
export function isNotModified(conditions: Preconditions, etag: string): boolean {
  return conditions.ifNoneMatch !== undefined && !ifNoneMatch(conditions.ifNoneMatch, etag);
}

export interface ResourceState {
  /** The tag of the representation that this client would receive now. */
  readonly etag: string;
  /** On a write, all tags that name the current state; undefined on a read. */
  readonly state: readonly string[] | undefined;
}

/** Throws `precondition_failed` if the current representation is not the one the client expects. */
export function requireMatch(conditions: Preconditions, { etag, state }: ResourceState): void {
  const { ifMatch: expected } = conditions;
  const tags = state ?? [etag];
  const isChanged = expected !== undefined && !tags.some((tag) => isMatch(expected, tag));
  const isUnchanged = state?.some((tag) => isNotModified(conditions, tag)) ?? false;
  if (isChanged || isUnchanged) throw preconditionFailed(etag);
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
  return new AppError("precondition_failed", "The object does not match the precondition", {
    headers: etag === undefined ? {} : { etag },
  });
}

export interface PreconditionContext {
  readonly route: Pick<Route<unknown>, "method" | "holdsGuarded">;
  readonly access: Access;
  readonly conditions: Preconditions;
}

/**
 * Creates the checks of a call's preconditions, based on what its caller can see: fields may be
 * hidden.
 */
export function createPreconditions(
  { route, access, conditions }: PreconditionContext,
): Pick<Call<unknown, unknown, unknown>, "requireMatch" | "isNotModified"> {
  const isRead = route.method === "GET";
  const sent = (etag: string) => tagRedacted(etag, hiddenOn(route, access));
  // The caller may have read the object on a route that hides fields, or on one that hides none.
  const stateOf = (etag: string) => isRead ? undefined : [etag, tagRedacted(etag, access.hidden)];
  return {
    requireMatch: (etag) => {
      // Checked first, because the tag of a redacted representation takes a hash.
      if (!isConditional(conditions)) return;
      requireMatch(conditions, { etag: sent(etag), state: stateOf(etag) });
    },
    isNotModified: (etag) => isRead && isNotModified(conditions, sent(etag)),
  };
}
