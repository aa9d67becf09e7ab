/**
 * What comparing two documents says, and when it breaks a client.
 *
 * @module
 */

/** Who sends what a schema describes: clients a request, the service an answer. */
export type Side = "request" | "answer";

/** What became of the values that a schema allows. */
export type Effect = "narrower" | "wider" | "other";

export interface Pair<T> {
  readonly before: T;
  readonly after: T;
}

export interface Finding {
  /** Where it is, from what is compared inwards: `parent.page_id`, `children[]`; empty for itself. */
  readonly place: string;
  readonly detail: string;
  /** Whether a client that follows the old document can fail under the new one. */
  readonly isBreaking: boolean;
}

/**
 * Whether an effect breaks clients: what the service takes may only become wider, what it gives only
 * narrower.
 */
export function breaks(effect: Effect, side: Side): boolean {
  return effect === "other" || effect === (side === "request" ? "narrower" : "wider");
}

/** `name` inside of `place`. */
export function inside(place: string, name: string): string {
  return place === "" ? name : `${place}.${name}`;
}
