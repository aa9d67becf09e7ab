/**
 * Decides from a policy which calls a set of scopes opens: total, default deny, pure.
 *
 * @module
 */
import { type Bits, covers, createBits, join, type Mask, singles, without } from "./bits.ts";
import type { Policy, Rule } from "./schema.ts";

/** One decision with its reasons: the 403 body, the log and every tool print it as it is. */
export interface Decision {
  readonly effect: "allow" | "deny";
  /** `METHOD path` as the policy names it. */
  readonly route: string;
  readonly public: boolean;
  /** The alternatives of the rule, each a list of scopes that must all be held; empty when public. */
  readonly required: readonly (readonly string[])[];
  /** What each alternative still lacks, smallest first; empty when allowed. */
  readonly missing: readonly (readonly string[])[];
}

/** A token's scopes, made ready for one engine; worth keeping as long as the token. */
export interface Grant {
  /** The engine's own bits: another engine's grant is no grant. */
  readonly bits: Bits;
  readonly mask: Mask;
  /** The fields that these scopes do not show. */
  readonly hiddenFields: readonly string[];
}

/** The rule of one route, compiled. */
export interface CompiledRule {
  readonly public: boolean;
  /** Never throws, and answers the same value for tokens that hold the same of its scopes. */
  decide(grant: Grant): Decision;
}

/** A policy, compiled; immutable. */
export interface Engine {
  /** Makes a token's scopes ready; those that the policy does not know count for nothing. */
  grant(scopes: ReadonlySet<string>): Grant;
  /** Undefined for a route that the policy does not name, which is denied. */
  rule(route: string): CompiledRule | undefined;
  /**
   * Decides one call; never throws. A route without a rule is denied, with nothing `required`.
   * A grant of another engine holds nothing.
   *
   * ```ts
   * const engine = createEngine(parsePolicy(text));
   * const grant = engine.grant(new Set(["pages.read"]));
   * engine.decide("GET /v2/pages/:page_id/content/markdown", grant).missing; // [["blocks.read"]]
   * ```
   */
  decide(route: string, grant: Grant): Decision;
  /** The names of the fields that must be left out of every answer to this token. */
  hiddenFields(grant: Grant): readonly string[];
}

/** A rule's alternatives beside their masks. */
interface Requirement {
  readonly rule: Rule;
  readonly masks: readonly Mask[];
}

/** Compiles a policy. */
export function createEngine(policy: Policy): Engine {
  const bits = createBits(scopesOf(policy));
  const fields = mapValues(policy.fields, (rule) => createRequirement(rule, bits));
  const rules = mapValues(
    policy.routes,
    (rule, route) => compileRule(route, createRequirement(rule, bits), bits),
  );
  const nothing = bits.mask([]);
  return {
    grant(scopes) {
      const mask = bits.mask(scopes);
      return Object.freeze({ bits, mask, hiddenFields: findHidden(fields, mask) });
    },
    rule: (route) => rules.get(route),
    decide: (route, grant) => rules.get(route)?.decide(grant) ?? denyUnknown(route),
    hiddenFields: (grant) => grant.bits === bits ? grant.hiddenFields : findHidden(fields, nothing),
  };
}

/**
 * Every scope that a policy names. Undeclared ones too: a scope without a bit would drop out of its
 * rule and open the route.
 */
export function scopesOf(policy: Policy): Set<string> {
  const rules = [...policy.routes.values(), ...policy.fields.values()];
  return new Set([...policy.scopes.keys(), ...rules.flatMap((rule) => rule.alternatives.flat())]);
}

function compileRule(route: string, requirement: Requirement, bits: Bits): CompiledRule {
  const { rule, masks } = requirement;
  const nothing = bits.mask([]);
  const base = { route, public: rule.public, required: rule.alternatives };
  const allowed: Decision = Object.freeze({ effect: "allow", ...base, missing: Object.freeze([]) });
  const refuse = (held: Mask): Decision => {
    const missing = masks.map((mask) => bits.lacking(mask, held)).sort(compareMissing);
    return Object.freeze({ effect: "deny", ...base, missing: Object.freeze(missing) });
  };
  const judge = rule.public ? () => allowed : createJudge(masks, { allowed, refuse });
  return Object.freeze({
    public: rule.public,
    decide: (grant: Grant): Decision => judge(grant.bits === bits ? grant.mask : nothing),
  });
}

interface Verdicts {
  readonly allowed: Decision;
  refuse(held: Mask): Decision;
}

/** A decision hangs on nothing but the rule's own scopes; most rules have them all in one word. */
function createJudge(masks: readonly Mask[], { allowed, refuse }: Verdicts): Judge {
  const own = masks.reduce(join, masks[0] ?? []);
  const word = Math.max(0, own.findIndex((bits) => bits !== 0));
  if (own.some((bits, index) => bits !== 0 && index !== word)) {
    return (held) => masks.some((mask) => covers(held, mask)) ? allowed : refuse(held);
  }
  const ownBits = own[word] ?? 0;
  const needed = masks.map((mask) => mask[word] ?? 0);
  const refusals = new Map<number, Decision>();
  // One scope can be lacking in one way alone, and so are most rules.
  const only = singles(own).length === 1 ? refuse(without(own, own)) : undefined;
  return (held) => {
    const counting = (held[word] ?? 0) & ownBits;
    for (const need of needed) {
      if ((counting & need) === need) return allowed;
    }
    return only ?? refusals.get(counting) ?? keep(refusals, { counting, decision: refuse(held) });
  };
}

type Judge = (held: Mask) => Decision;

/** Past this many refusals of one rule the rest are worked out each time. */
const REFUSALS = 64;

function keep(
  refusals: Map<number, Decision>,
  { counting, decision }: { readonly counting: number; readonly decision: Decision },
): Decision {
  if (refusals.size < REFUSALS) refusals.set(counting, decision);
  return decision;
}

function createRequirement(rule: Rule, bits: Bits): Requirement {
  // An empty list would be held by everyone, and only "public" may say that.
  const lists = rule.alternatives.filter((scopes) => scopes.length > 0);
  return { rule, masks: lists.map((scopes) => bits.mask(scopes)) };
}

function isFulfilled({ rule, masks }: Requirement, held: Mask): boolean {
  if (rule.public) return true;
  for (const mask of masks) {
    if (covers(held, mask)) return true;
  }
  return false;
}

function findHidden(fields: ReadonlyMap<string, Requirement>, held: Mask): readonly string[] {
  const hidden = [...fields].filter(([, requirement]) => !isFulfilled(requirement, held));
  return Object.freeze(hidden.map(([name]) => name));
}

function denyUnknown(route: string): Decision {
  return { effect: "deny", route, public: false, required: [], missing: [] };
}

function compareMissing(a: readonly string[], b: readonly string[]): number {
  return a.length - b.length || compareText(a.join(" "), b.join(" "));
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function mapValues<A, B>(
  map: ReadonlyMap<string, A>,
  convert: (value: A, key: string) => B,
): Map<string, B> {
  return new Map([...map].map(([key, value]) => [key, convert(value, key)]));
}
