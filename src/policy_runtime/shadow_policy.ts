/**
 * A policy that is tried: it judges every call beside the live one, and nothing it says has an effect.
 *
 * @module
 */
import { digestOf } from "../policy/digest.ts";
import { createEngine, type Decision, type Engine, type Grant } from "../policy/engine.ts";
import type { Policy } from "../policy/schema.ts";
import type { DecisionObserver } from "./routes.ts";
import type { Principal } from "../auth/principal.ts";

/** Calls of one route on which the two policies differ, by what the candidate says. */
export interface DecisionDifferences {
  allow: number;
  deny: number;
}

export interface ShadowPolicy {
  /** Digest of its normal form. */
  readonly digest: string;
  /** How many calls it judged. */
  readonly judged: number;
  /** Of every route that the live policy names. */
  readonly differences: ReadonlyMap<string, Readonly<DecisionDifferences>>;
  /** Judges a call that was decided. A call of a public route has no scopes, whatever it brings. */
  readonly observe: DecisionObserver;
}

export interface ShadowPolicyOptions {
  readonly policy: Policy;
  /** `METHOD path` of every route that is judged. */
  readonly routes: Iterable<string>;
  /** Told of the first call of each route and kind on which the candidate differs. */
  readonly onDifference: (decision: Decision) => void;
}

/** Makes a policy a candidate that has judged nothing yet. */
export function createShadowPolicy(
  { policy, routes, onDifference }: ShadowPolicyOptions,
): ShadowPolicy {
  const engine = createEngine(policy);
  const grantOf = rememberGrants(engine);
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

function rememberGrants(engine: Engine): (caller: Principal) => Grant {
  const known = new WeakMap<Principal, Grant>();
  return (caller) => {
    const grant = known.get(caller) ?? engine.grant(caller.scopes);
    known.set(caller, grant);
    return grant;
  };
}
