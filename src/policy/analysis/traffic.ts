/**
 * The traffic of a decision log: which clients called which routes, with which scopes, and when.
 *
 * @module
 */
import { type Caller, callerKey, callerOf, type LoggedDecision } from "./decisions.ts";
import { createScopeSet, type ScopeSet } from "./scope_set.ts";

/** Calls, and when the last one was. */
export interface Usage {
  readonly calls: number;
  /** ISO 8601; `""` without calls. */
  readonly last: string;
}

/** The calls of one client with one set of scopes. */
export interface TokenTraffic extends Caller {
  readonly scopes: ScopeSet;
  /** All calls by route, whether allowed or denied. */
  readonly routes: ReadonlyMap<string, Usage>;
  /** The allowed ones among them. */
  readonly allowed: ReadonlyMap<string, Usage>;
}

export interface Traffic {
  add(decision: LoggedDecision): void;
  /** Returns the traffic by client and scopes, in the order of their first lines. */
  tokens(): TokenTraffic[];
}

export const NO_USAGE: Usage = { calls: 0, last: "" };

interface TokenCount extends TokenTraffic {
  readonly routes: Map<string, Usage>;
  readonly allowed: Map<string, Usage>;
}

/** Counts calls. Memory grows with clients, sets of scopes and routes, not with the log. */
export function createTraffic(): Traffic {
  const counts = new Map<string, TokenCount>();
  return {
    add(logged) {
      const caller = callerOf(logged);
      const key = `${callerKey(caller)} ${JSON.stringify([...logged.scopes].sort())}`;
      const token = counts.get(key) ?? newToken(caller, logged);
      counts.set(key, token);
      addCall(token.routes, logged);
      if (logged.effect === "allow") addCall(token.allowed, logged);
    },
    tokens: () => [...counts.values()],
  };
}

/** Returns the sum of several usages. */
export function sumUsage(usages: Iterable<Usage>): Usage {
  let { calls, last } = NO_USAGE;
  for (const usage of usages) {
    calls += usage.calls;
    if (usage.last > last) last = usage.last;
  }
  return { calls, last };
}

function newToken(caller: Caller, { scopes }: LoggedDecision): TokenCount {
  return { ...caller, scopes: createScopeSet(scopes), routes: new Map(), allowed: new Map() };
}

function addCall(routes: Map<string, Usage>, { route, time }: LoggedDecision): void {
  const before = routes.get(route) ?? NO_USAGE;
  routes.set(route, sumUsage([before, { calls: 1, last: time }]));
}
