/**
 * Which cases pin a policy down, and which of them are still to be written.
 *
 * A rule is settled by its boundary: the smallest sets of scopes that it lets through and the largest
 * that it refuses. A rule that answers the same on all of these points answers the same everywhere. A
 * smallest set less one scope is not enough: it says nothing of alternatives that were added.
 *
 * @module
 */
import type { Mask } from "../bits.ts";
import type { Case, CaseResult, Target } from "./cases.ts";
import { type Formula, isFulfilled, largestRefused, NEVER } from "./formula.ts";
import type { NormalPolicy } from "./normal.ts";
import { lackingFor } from "./reach.ts";

/** A token at the boundary of a rule. */
export interface Point {
  readonly target: Target;
  readonly token: Mask;
  readonly allowed: boolean;
  readonly formula: Formula;
}

export interface Coverage {
  readonly points: number;
  /** Points that no case stands on, in the policy's order. */
  readonly missing: readonly Point[];
}

/** Stands for every call without a rule; no server has it. */
const ELSEWHERE = "GET /v2/elsewhere";

/**
 * Every boundary point of a policy; a field that everybody sees has none, as if it had no rule.
 * Throws `TooManySetsError`.
 */
export function boundaryOf(normal: NormalPolicy): Point[] {
  const { routes, fields, bits } = normal;
  const guarded = [...fields].filter(([, formula]) => !isFulfilled(formula, bits.mask([])));
  const toPoints = (kind: Target["kind"]) => ([name, formula]: [string, Formula]): Point[] =>
    pointsOf({ target: { kind, name, known: true }, formula }, normal);
  const elsewhere = { kind: "call", name: ELSEWHERE, known: false } as const;
  return [
    ...[...routes].flatMap(toPoints("call")),
    ...guarded.flatMap(toPoints("field")),
    ...pointsOf({ target: elsewhere, formula: NEVER }, normal),
  ];
}

/** How much of the boundary the cases stand on; a case of any call without a rule stands for all. */
export function coverageOf(outcomes: readonly CaseResult[], normal: NormalPolicy): Coverage {
  const covered = new Set(outcomes.map(keyOf));
  const points = boundaryOf(normal);
  return { points: points.length, missing: points.filter((point) => !covered.has(keyOf(point))) };
}

/** The case that stands on a point, for a reviewer to judge. */
export function caseOf({ target, token, allowed, formula }: Point, normal: NormalPolicy): Case {
  const { bits, all } = normal;
  const held = allowed ? { scopes: bits.names(token) } : { allBut: bits.lacking(all, token) };
  const missing = lackingFor(formula, token).map((mask) => bits.names(mask));
  if (target.kind === "call") {
    const call = target.name;
    return allowed
      ? { call, ...held, effect: "allow" }
      : { call, ...held, effect: "deny", missing };
  }
  const field = target.name;
  return allowed ? { field, ...held, effect: "show" } : { field, ...held, effect: "hide", missing };
}

/** The name of the file that a case belongs to: that of the kind of thing it is about. */
export function fileOf({ target }: Point): string {
  if (target.kind === "field") return "fields";
  if (!target.known) return "elsewhere";
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

function keyOf({ target, token }: { readonly target: Target; readonly token: Mask }): string {
  const name = target.known || target.kind === "field" ? target.name : "*";
  return `${target.kind} ${name} ${token.join()}`;
}
