/**
 * Findings of a comparison, and when they break clients.
 *
 * @module
 */

/** The side that a schema describes: what clients send, or what the service responds with. */
export type Side = "request" | "answer";

/** How the set of values that a schema allows has changed. */
export type Effect = "narrower" | "wider" | "other";

export interface Pair<T> {
  readonly before: T;
  readonly after: T;
}

export interface Finding {
  /**
   * Path inside of what is compared, such as `parent.page_id` or `children[]`. Empty for itself.
   */
  readonly place: string;
  readonly detail: string;
  /** True if a client that follows the old document can fail under the new one. */
  readonly isBreaking: boolean;
}

/**
 * True if an effect breaks clients: requests may only become wider, and responses only narrower.
 */
export function breaks(effect: Effect, side: Side): boolean {
  return effect === "other" || effect === (side === "request" ? "narrower" : "wider");
}

/** Returns the path of `name` inside of `place`. */
export function inside(place: string, name: string): string {
  return place === "" ? name : `${place}.${name}`;
}
