/**
 * Which calls of a decision log another policy would have decided differently.
 *
 * @module
 */
import type { LoggedDecision } from "./decisions.ts";
import { createEngine, type Grant } from "../engine.ts";
import type { Policy } from "../schema.ts";

/** The calls of one client to one route whose decision changes. */
export interface FlippedCalls {
  /** Pseudonym of the client; null for anonymous calls. */
  readonly subject: string | null;
  calls: number;
  readonly first: string;
  last: string;
}

/** The calls to one route whose decision changes in the same way. */
export interface Flip {
  readonly route: string;
  /** The decision of the new policy. */
  readonly effect: "allow" | "deny";
  /** What the token lacks under the new policy, smallest set first; empty if it allows the call. */
  readonly missing: readonly (readonly string[])[];
  /** Most calls first. */
  readonly clients: readonly FlippedCalls[];
}

export interface Replay {
  /** Decides one logged call again. */
  add(decision: LoggedDecision): void;
  /** Returns the changed decisions so far, those that the new policy denies first. */
  flips(): Flip[];
}

interface FlipCount extends Omit<Flip, "clients"> {
  readonly clients: Map<string | null, FlippedCalls>;
}

/** Starts a replay. Memory grows with the routes and clients that flip, not with the log. */
export function createReplay(policy: Policy): Replay {
  const engine = createEngine(policy);
  const grantOf = cacheGrants((scopes) => engine.grant(new Set(scopes)));
  const counts = new Map<string, FlipCount>();
  return {
    add(logged) {
      const { route, effect, missing } = engine.decide(logged.route, grantOf(logged.scopes));
      if (effect === logged.effect) return;
      const key = JSON.stringify([route, effect, missing]);
      const flip = counts.get(key) ?? { route, effect, missing, clients: new Map() };
      counts.set(key, flip);
      count(flip.clients, logged);
    },
    flips: () =>
      [...counts.values()].map(({ clients, ...flip }) => ({
        ...flip,
        clients: [...clients.values()].sort((a, b) => b.calls - a.calls),
      })).sort(compareFlips),
  };
}

/** Bounds the cache; logs contain far fewer distinct sets of scopes. */
const MAX_GRANTS = 10_000;

function cacheGrants(
  create: (scopes: readonly string[]) => Grant,
): (scopes: readonly string[]) => Grant {
  const cache = new Map<string, Grant>();
  return (scopes) => {
    const key = JSON.stringify(scopes);
    const grant = cache.get(key) ?? create(scopes);
    if (cache.size < MAX_GRANTS) cache.set(key, grant);
    return grant;
  };
}

function count(
  clients: Map<string | null, FlippedCalls>,
  { subject, time }: LoggedDecision,
): void {
  const client = clients.get(subject);
  if (client === undefined) clients.set(subject, { subject, calls: 1, first: time, last: time });
  else {
    client.calls++;
    client.last = time;
  }
}

function compareFlips(a: Flip, b: Flip): number {
  return sortKey(a) < sortKey(b) ? -1 : 1;
}

function sortKey({ route, effect, missing }: Flip): string {
  return JSON.stringify([effect === "deny" ? 0 : 1, route, missing]);
}
