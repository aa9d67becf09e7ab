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

/** Allowed calls of tokens on which the two policies differ about a field. */
export interface FieldDifferences {
  show: number;
  hide: number;
}

export type FieldEffect = keyof FieldDifferences;

export interface ShadowPolicy {
  /** Digest of its normal form. */
  readonly digest: string;
  /** Number of calls that it decided. */
  readonly judged: number;
  /** Differences by route, for every route of the active policy. */
  readonly differences: ReadonlyMap<string, Readonly<DecisionDifferences>>;
  /** Differences by field, for every field of both policies. */
  readonly fieldDifferences: ReadonlyMap<string, Readonly<FieldDifferences>>;
  /** Decides a call again. Calls of public routes count as calls without scopes. */
  readonly observe: DecisionObserver;
}

export interface ShadowPolicyOptions {
  readonly policy: Policy;
  readonly active: Policy;
  /** Called with the first differing decision of each route and effect. */
  readonly onDifference: (decision: Decision) => void;
  /** Called with the first difference of each field and effect. */
  readonly onFieldDifference: (field: string, effect: FieldEffect) => void;
}

/** Creates a shadow policy. */
export function createShadowPolicy(options: ShadowPolicyOptions): ShadowPolicy {
  const { policy, active, onDifference } = options;
  const engine = createEngine(policy);
  const engines = { engine, active: createEngine(active) };
  const judgeOf = cacheCallers((caller) => judge(caller, engines));
  const differences = new Map<string, DecisionDifferences>();
  for (const route of active.routes.keys()) differences.set(route, { allow: 0, deny: 0 });
  const fields = createFieldCounts(options);
  let judged = 0;
  return {
    digest: digestOf(policy),
    get judged() {
      return judged;
    },
    differences,
    fieldDifferences: fields.counts,
    observe: ({ route, effect, public: isPublic }, caller) => {
      judged++;
      const { grant, fieldEffects } = judgeOf(caller);
      if (effect === "allow" && !isPublic) fields.count(fieldEffects);
      const other = engine.decide(route, grant);
      const counts = differences.get(route);
      if (other.effect === effect || counts === undefined) return;
      counts[other.effect]++;
      if (counts[other.effect] === 1) onDifference(other);
    },
  };
}

/** The decision of the shadow policy about a token. */
interface Judgement {
  readonly grant: Grant;
  /** The fields that it shows or hides and the active policy does not. */
  readonly fieldEffects: readonly (readonly [field: string, effect: FieldEffect])[];
}

interface Engines {
  readonly engine: Engine;
  readonly active: Engine;
}

function judge({ scopes }: Principal, { engine, active }: Engines): Judgement {
  const grant = engine.grant(scopes);
  const hidden = new Set(engine.hiddenFields(grant));
  const hiddenNow = new Set(active.hiddenFields(active.grant(scopes)));
  return {
    grant,
    fieldEffects: [
      ...[...hiddenNow.difference(hidden)].map((field) => [field, "show"] as const),
      ...[...hidden.difference(hiddenNow)].map((field) => [field, "hide"] as const),
    ],
  };
}

interface FieldCounts {
  readonly counts: ReadonlyMap<string, FieldDifferences>;
  count(effects: Judgement["fieldEffects"]): void;
}

function createFieldCounts(
  { policy, active, onFieldDifference }: ShadowPolicyOptions,
): FieldCounts {
  const counts = new Map<string, FieldDifferences>();
  for (const field of [...active.fields.keys(), ...policy.fields.keys()]) {
    counts.set(field, { show: 0, hide: 0 });
  }
  return {
    counts,
    count(effects) {
      for (const [field, effect] of effects) {
        const own = counts.get(field);
        if (own === undefined) continue;
        own[effect]++;
        if (own[effect] === 1) onFieldDifference(field, effect);
      }
    },
  };
}

function cacheCallers<T>(create: (caller: Principal) => T): (caller: Principal) => T {
  const cache = new WeakMap<Principal, { readonly value: T }>();
  return (caller) => {
    const cached = cache.get(caller) ?? { value: create(caller) };
    cache.set(caller, cached);
    return cached.value;
  };
}
