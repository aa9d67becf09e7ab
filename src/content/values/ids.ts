/**
 * Ids are UUIDs: requests may use any spelling, responses use one.
 *
 * @module
 */
import * as v from "valibot";

const ANY_SPELLING =
  /^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$/;
const ANY_SPELLING_OR_ME =
  /^(?:me|[0-9a-fA-F]{32}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$/;
const ONE_SPELLING = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An id in a request, in any spelling. */
export const idInput = v.pipe(
  v.string(),
  v.regex(ANY_SPELLING, "a valid uuid"),
  v.maxLength(36),
  v.description("UUID in upper or lower case, with or without dashes."),
);

/** An id in responses. */
export const idOutput = v.pipe(
  v.string(),
  v.regex(ONE_SPELLING, "a valid uuid"),
  v.maxLength(36),
  v.description("UUID in lower case, with dashes."),
);

/** The id of a user in a request, or `me` for the caller. */
export const userIdInput = v.pipe(
  v.string(),
  v.regex(ANY_SPELLING_OR_ME, 'a valid uuid or "me"'),
  v.maxLength(36),
);

/** Converts an id that `idInput` accepted to lower case with dashes. */
export function normalizeId(id: string): string {
  if (ONE_SPELLING.test(id)) return id;
  const hex = id.replaceAll("-", "").toLowerCase();
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return `${parts.join("-")}-${hex.slice(20)}`;
}
