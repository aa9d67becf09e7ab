/**
 * Which part of a policy its cases cover, and the cases that are missing.
 *
 * A rule is determined by its boundary: the smallest sets of scopes that it allows and the largest
 * that it refuses. Two rules that agree on all of these points agree on every token. Removing one scope
 * from each smallest set would not do: it would miss alternatives that somebody adds.
 *
 * @module
 */
import type { Case, CaseResult, Target } from "./cases.ts";
import { type Formula, isSatisfied, largestRefused, NEVER } from "./formula.ts";
import type { NormalPolicy } from "./normal.ts";
import { lackingFor } from "./capabilities.ts";
import type { ScopeSet } from "./scope_set.ts";

/** A token at the boundary of a rule. */
export interface Point {
  readonly target: Target;
  readonly token: ScopeSet;
  readonly allowed: boolean;
  readonly formula: Formula;
}

export interface Coverage {
  readonly points: number;
  /** Points without a case, in the policy's order. */
  readonly missing: readonly Point[];
}

/** Represents every call without a rule; no server has it. */
const ELSEWHERE = "GET /v2/elsewhere";

/**
 * Returns every boundary point of a policy. A field that everybody sees has none, as if it had no
 * rule. Throws `TooManySetsError`.
 */
export function boundaryOf(normal: NormalPolicy): Point[] {
  const { routes, fields, aliases } = normal;
  // A case of the route that decides is a case of its alias, too.
  const ruled = [...routes].filter(([name]) => aliases?.has(name) !== true);
  const guarded = [...fields].filter(([, formula]) => !isSatisfied(formula, new Set()));
  const toPoints = (kind: Target["kind"]) => ([name, formula]: [string, Formula]): Point[] =>
    pointsOf({ target: { kind, name, hasRule: true }, formula }, normal);
  const elsewhere = { kind: "call", name: ELSEWHERE, hasRule: false } as const;
  return [
    ...ruled.flatMap(toPoints("call")),
    ...guarded.flatMap(toPoints("field")),
    ...pointsOf({ target: elsewhere, formula: NEVER }, normal),
  ];
}

/**
 * Returns how much of the boundary the cases cover. A case on any call without a rule covers all such
 * calls.
 */
export function coverageOf(outcomes: readonly CaseResult[], normal: NormalPolicy): Coverage {
  const covered = new Set(outcomes.map(pointKey));
  const points = boundaryOf(normal);
  return {
    points: points.length,
    missing: points.filter((point) => !covered.has(pointKey(point))),
  };
}

/** Returns the case that covers a point, for a reviewer to judge. */
export function caseOf({ target, token, allowed, formula }: Point, { all }: NormalPolicy): Case {
  const held = allowed ? { scopes: [...token] } : { allBut: [...all.difference(token)] };
  const missing = lackingFor(formula, token).map((set) => [...set]);
  if (target.kind === "call") {
    const call = target.name;
    return allowed
      ? { call, ...held, effect: "allow" }
      : { call, ...held, effect: "deny", missing };
  }
  const field = target.name;
  return allowed ? { field, ...held, effect: "show" } : { field, ...held, effect: "hide", missing };
}

/** Returns the name of the file for a point's case: the resource that it is about. */
export function fileOf({ target }: Point): string {
  if (target.kind === "field") return "fields";
  if (!target.hasRule) return "elsewhere";
  const segments = target.name.split("/").slice(2);
  return segments[0]?.replace(/\..*$/, "").replaceAll(/[^a-z0-9_-]/g, "") || "calls";
}

function pointsOf(
  rule: { readonly target: Target; readonly formula: Formula },
  { all }: NormalPolicy,
): Point[] {
  return [
    ...rule.formula.map((token) => ({ ...rule, token, allowed: true })),
    ...largestRefused(rule.formula, all).map((token) => ({ ...rule, token, allowed: false })),
  ];
}

function pointKey({ target, token }: Pick<Point, "target" | "token">): string {
  const name = target.hasRule || target.kind === "field" ? target.name : "*";
  return `${target.kind} ${name} ${[...token].join()}`;
}
