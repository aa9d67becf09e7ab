/**
 * Preconditions, judged by what their reader is sent: it may see less than others.
 *
 * @module
 */
import { isConditional, isNotModified, type Preconditions, requireMatch } from "./conditional.ts";
import type { Call } from "./endpoint.ts";
import { tagRedacted } from "./redact.ts";
import { type Access, hiddenOn, type Route } from "./route.ts";

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
