/**
 * Which calls of a decision log another policy would have decided otherwise.
 *
 * @module
 */
import type { LoggedDecision } from "./decisions.ts";
import { createEngine, type Grant } from "../engine.ts";
import type { Policy } from "../schema.ts";

/** Calls of one client that flip in one way. */
export interface FlippedCalls {
  /** Pseudonym of the client; null of nobody. */
  readonly subject: string | null;
  calls: number;
  readonly first: string;
  last: string;
}

/** Calls of one route that flip in one way. */
export interface Flip {
  readonly route: string;
  /** What the new policy says. */
  readonly effect: "allow" | "deny";
  /** What the token lacks under it, smallest set first; empty where it allows. */
  readonly missing: readonly (readonly string[])[];
  /** Most calls first. */
  readonly clients: readonly FlippedCalls[];
}

export interface Replay {
  /** Judges one logged call. */
  add(decision: LoggedDecision): void;
  /** What flipped so far: first what would be refused. */
  flips(): Flip[];
}

interface Gathered extends Omit<Flip, "clients"> {
  readonly clients: Map<string | null, FlippedCalls>;
}

/** Begins a replay; it keeps as much as there are routes and clients that flip, however long the log. */
export function createReplay(policy: Policy): Replay {
  const engine = createEngine(policy);
  const grantOf = rememberGrants((scopes) => engine.grant(new Set(scopes)));
  const gathered = new Map<string, Gathered>();
  return {
    add(logged) {
      const { route, effect, missing } = engine.decide(logged.route, grantOf(logged.scopes));
      if (effect === logged.effect) return;
      const key = JSON.stringify([route, effect, missing]);
      const flip = gathered.get(key) ?? { route, effect, missing, clients: new Map() };
      gathered.set(key, flip);
      count(flip.clients, logged);
    },
    flips: () =>
      [...gathered.values()].map(({ clients, ...flip }) => ({
        ...flip,
        clients: [...clients.values()].sort((a, b) => b.calls - a.calls),
      })).sort(compareFlips),
  };
}

/** How many sets of scopes are kept ready: clients have few. */
const MAX_GRANTS = 10_000;

function rememberGrants(
  make: (scopes: readonly string[]) => Grant,
): (scopes: readonly string[]) => Grant {
  const known = new Map<string, Grant>();
  return (scopes) => {
    const key = JSON.stringify(scopes);
    const grant = known.get(key) ?? make(scopes);
    if (known.size < MAX_GRANTS) known.set(key, grant);
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
  return keyOf(a) < keyOf(b) ? -1 : 1;
}

function keyOf({ route, effect, missing }: Flip): string {
  return JSON.stringify([effect === "deny" ? 0 : 1, route, missing]);
}
