/**
 * Which calls of a decision log another policy would have decided differently.
 *
 * @module
 */
import { type Caller, callerKey, callerOf, type LoggedDecision } from "./decisions.ts";
import { createEngine, type Grant } from "../engine.ts";
import type { Policy } from "../schema.ts";

/** The calls of one caller whose decision changes. */
export interface FlippedCalls extends Caller {
  calls: number;
  readonly first: string;
  last: string;
}

/** The calls to one route whose decision changes in the same way. */
export interface Flip {
  readonly route: string;
  /** The decision of the new policy. */
  readonly effect: "allow" | "deny";
  /**
   * The scopes that the token lacks under the new policy, smallest set first; empty if it allows
   * the call.
   */
  readonly missing: readonly (readonly string[])[];
  /** Most calls first. */
  readonly clients: readonly FlippedCalls[];
}

/** The calls that were allowed and stay allowed, but whose token sees a field differently. */
export interface FieldFlip {
  readonly field: string;
  /** The decision of the new policy. */
  readonly effect: "show" | "hide";
  /** Most calls first. */
  readonly clients: readonly FlippedCalls[];
}

export interface Replay {
  /** Decides one logged call again. */
  add(decision: LoggedDecision): void;
  /** Returns the changed decisions so far, those that the new policy denies first. */
  flips(): Flip[];
  /** Returns the fields that callers would see differently, those that it shows first. */
  fieldFlips(): FieldFlip[];
}

interface FlipCount extends Omit<Flip, "clients"> {
  readonly clients: Map<string, FlippedCalls>;
}

interface FieldFlipCount extends Omit<FieldFlip, "clients"> {
  readonly clients: Map<string, FlippedCalls>;
}

/**
 * Starts a replay. Fields are compared with those that the log says were hidden. Memory grows with
 * the routes, fields and clients that flip, not with the log.
 */
export function createReplay(policy: Policy): Replay {
  const engine = createEngine(policy);
  const grantOf = cacheGrants((scopes) => engine.grant(new Set(scopes)));
  const counts = new Map<string, FlipCount>();
  const fieldCounts = new Map<string, FieldFlipCount>();

  function addFields(logged: LoggedDecision, grant: Grant): void {
    for (const { field, effect } of fieldEffects(logged, grant)) {
      const key = JSON.stringify([field, effect]);
      const flip = fieldCounts.get(key) ?? { field, effect, clients: new Map() };
      fieldCounts.set(key, flip);
      count(flip.clients, logged);
    }
  }

  return {
    add(logged) {
      const grant = grantOf(logged.scopes);
      const { route, effect, missing } = engine.decide(logged.route, grant);
      if (effect === logged.effect) {
        return effect === "allow" ? addFields(logged, grant) : undefined;
      }
      const key = JSON.stringify([route, effect, missing]);
      const flip = counts.get(key) ?? { route, effect, missing, clients: new Map() };
      counts.set(key, flip);
      count(flip.clients, logged);
    },
    flips: () => [...counts.values()].map(withSortedClients).sort(compareFlips),
    fieldFlips: () => [...fieldCounts.values()].map(withSortedClients).sort(compareFieldFlips),
  };
}

function withSortedClients<T extends { readonly clients: Map<string, FlippedCalls> }>(
  { clients, ...flip }: T,
): Omit<T, "clients"> & Pick<Flip, "clients"> {
  return { ...flip, clients: [...clients.values()].sort((a, b) => b.calls - a.calls) };
}

/** Anonymous calls are to public routes, whose responses have no guarded fields. */
function fieldEffects(
  { subject, hidden }: LoggedDecision,
  { hiddenFields }: Grant,
): Pick<FieldFlip, "field" | "effect">[] {
  if (subject === null || hidden === undefined) return [];
  const [before, after] = [new Set(hidden), new Set(hiddenFields)];
  return [
    ...[...before.difference(after)].map((field) => ({ field, effect: "show" as const })),
    ...[...after.difference(before)].map((field) => ({ field, effect: "hide" as const })),
  ];
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

function count(clients: Map<string, FlippedCalls>, logged: LoggedDecision): void {
  const caller = callerOf(logged);
  const { time } = logged;
  const key = callerKey(caller);
  const client = clients.get(key);
  if (client === undefined) clients.set(key, { ...caller, calls: 1, first: time, last: time });
  else {
    client.calls++;
    client.last = time;
  }
}

function compareFieldFlips(a: FieldFlip, b: FieldFlip): number {
  const [left, right] = [a, b].map(({ effect, field }) =>
    JSON.stringify([effect === "show" ? 0 : 1, field])
  );
  return (left ?? "") < (right ?? "") ? -1 : 1;
}

function compareFlips(a: Flip, b: Flip): number {
  return sortKey(a) < sortKey(b) ? -1 : 1;
}

function sortKey({ route, effect, missing }: Flip): string {
  return JSON.stringify([effect === "deny" ? 0 : 1, route, missing]);
}
