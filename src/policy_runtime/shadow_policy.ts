/**
 * A shadow policy decides every call beside the active policy, without any effect.
 *
 * @module
 */
import { digestOf } from "../policy/digest.ts";
import { createEngine, type Decision, type Engine, type Grant } from "../policy/engine.ts";
import type { Policy } from "../policy/schema.ts";
import type { DecisionObserver } from "./routes.ts";
import type { Principal } from "../auth/principal.ts";

/** Calls of one route on which the two policies differ, by the decision of the shadow policy. */
export interface DecisionDifferences {
  allow: number;
  deny: number;
}

export interface ShadowPolicy {
  /** Digest of its normal form. */
  readonly digest: string;
  /** Number of calls that it decided. */
  readonly judged: number;
  /** Differences by route, for every route of the active policy. */
  readonly differences: ReadonlyMap<string, Readonly<DecisionDifferences>>;
  /** Decides a call again. Calls of public routes count as calls without scopes. */
  readonly observe: DecisionObserver;
}

export interface ShadowPolicyOptions {
  readonly policy: Policy;
  /** `METHOD path` of every route of the active policy. */
  readonly routes: Iterable<string>;
  /** Called with the first differing decision of each route and effect. */
  readonly onDifference: (decision: Decision) => void;
}

/** Creates a shadow policy. */
export function createShadowPolicy(
  { policy, routes, onDifference }: ShadowPolicyOptions,
): ShadowPolicy {
  const engine = createEngine(policy);
  const grantOf = cacheGrants(engine);
  const differences = new Map<string, DecisionDifferences>();
  for (const route of routes) differences.set(route, { allow: 0, deny: 0 });
  let judged = 0;
  return {
    digest: digestOf(policy),
    get judged() {
      return judged;
    },
    differences,
    observe: ({ route, effect }, caller) => {
      judged++;
      const other = engine.decide(route, grantOf(caller));
      const counts = differences.get(route);
      if (other.effect === effect || counts === undefined) return;
      counts[other.effect]++;
      if (counts[other.effect] === 1) onDifference(other);
    },
  };
}

function cacheGrants(engine: Engine): (caller: Principal) => Grant {
  const cache = new WeakMap<Principal, Grant>();
  return (caller) => {
    const grant = cache.get(caller) ?? engine.grant(caller.scopes);
    cache.set(caller, grant);
    return grant;
  };
}
