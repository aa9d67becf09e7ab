/**
 * Decides which calls a policy allows a set of scopes: total, pure, deny by default.
 *
 * @module
 */
import type { Policy, Rule } from "./schema.ts";

/** A decision with its reasons. The 403 body, the log and every tool print it unchanged. */
export interface Decision {
  readonly effect: "allow" | "deny";
  /** `METHOD path` as the policy names it. */
  readonly route: string;
  readonly public: boolean;
  /** The alternatives of the rule, each a list of scopes that are all required; empty if public. */
  readonly required: readonly (readonly string[])[];
  /** The scopes that the token lacks for each alternative, fewest first; empty if allowed. */
  readonly missing: readonly (readonly string[])[];
}

/** A token's scopes and what one engine decided for them. Cache it as long as the token. */
export interface Grant {
  /** Identifies the engine, which ignores grants of any other. */
  readonly engine: symbol;
  readonly scopes: ReadonlySet<string>;
  /** The fields that a token with these scopes must not see. */
  readonly hiddenFields: readonly string[];
  /** Decisions so far, by the rules' places in the policy. */
  readonly decisions: (Decision | undefined)[];
}

/** The compiled rule of one route. */
export interface CompiledRule {
  readonly public: boolean;
  /** Decides a call; never throws. */
  decide(grant: Grant): Decision;
}

/** A compiled policy; immutable. */
export interface Engine {
  /** Prepares a token's scopes; those that the policy does not define have no effect. */
  grant(scopes: ReadonlySet<string>): Grant;
  /** Returns the rule of a route; undefined if there is none, which denies the call. */
  rule(route: string): CompiledRule | undefined;
  /**
   * Decides a call; never throws. A route without a rule is denied, with an empty `required`.
   * A grant of another engine counts as one without scopes.
   *
   * ```ts
   * const engine = createEngine(parsePolicy(text));
   * const grant = engine.grant(new Set(["pages.read"]));
   * engine.decide("GET /v2/pages/:page_id/content/markdown", grant).missing; // [["blocks.read"]]
   * ```
   */
  decide(route: string, grant: Grant): Decision;
  /** Returns the names of the fields that no response to this token may contain. */
  hiddenFields(grant: Grant): readonly string[];
}

/** Compiles a policy. */
export function createEngine(policy: Policy): Engine {
  const engine = Symbol("engine");
  const createGrant = (scopes: ReadonlySet<string>): Grant =>
    Object.freeze({
      engine,
      scopes,
      hiddenFields: findHidden(policy.fields, scopes),
      decisions: new Array<undefined>(policy.routes.size).fill(undefined),
    });
  const noScopes = createGrant(new Set());
  const own = (grant: Grant): Grant => grant.engine === engine ? grant : noScopes;
  const rules = new Map([...policy.routes].map(([route, rule], index) => {
    const decide = compileRule(route, rule);
    return [route, {
      public: rule.public,
      decide: (grant: Grant) => {
        const { scopes, decisions } = own(grant);
        return decisions[index] ??= decide(scopes);
      },
    }];
  }));
  return {
    grant: createGrant,
    rule: (route) => rules.get(route),
    decide: (route, grant) => rules.get(route)?.decide(grant) ?? denyUnknown(route),
    hiddenFields: (grant) => own(grant).hiddenFields,
  };
}

function compileRule(route: string, rule: Rule): (scopes: ReadonlySet<string>) => Decision {
  const base = { route, public: rule.public, required: rule.alternatives };
  const allowed: Decision = Object.freeze({ effect: "allow", ...base, missing: Object.freeze([]) });
  return (scopes) => {
    if (isSatisfied(rule, scopes)) return allowed;
    const missing = alternativesOf(rule)
      .map((list) => list.filter((scope) => !scopes.has(scope)).sort())
      .sort(compareMissing);
    return Object.freeze({ effect: "deny", ...base, missing: Object.freeze(missing) });
  };
}

/** Every token satisfies an empty list, and only "public" may open a route to everyone. */
function alternativesOf({ alternatives }: Rule): Rule["alternatives"] {
  return alternatives.filter((list) => list.length > 0);
}

function isSatisfied(rule: Rule, scopes: ReadonlySet<string>): boolean {
  return rule.public ||
    alternativesOf(rule).some((list) => list.every((scope) => scopes.has(scope)));
}

function findHidden(fields: Policy["fields"], scopes: ReadonlySet<string>): readonly string[] {
  const hidden = [...fields].filter(([, rule]) => !isSatisfied(rule, scopes));
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
