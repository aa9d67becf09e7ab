/**
 * How often the tokens of a decision log used each call and field, and each scope for it.
 *
 * @module
 */
import { callerKey } from "../analysis/decisions.ts";
import type { Formula } from "../analysis/formula.ts";
import { sumUsage, type TokenTraffic, type Usage } from "../analysis/traffic.ts";

/** The traffic of one row of the matrix. */
export interface RowTraffic {
  /** All calls, whether allowed or denied; for a field, the allowed ones that can show it. */
  readonly usage: Usage;
  readonly denied: number;
  readonly clients: number;
  /** By scope: the allowed calls of tokens with an alternative that requires it. */
  readonly scopes: ReadonlyMap<string, Usage>;
}

export interface RowTrafficOptions {
  readonly formula: Formula;
  /** The routes that count; undefined: all. */
  readonly routes: ReadonlySet<string> | undefined;
  /** True if denied calls count, too. */
  readonly countsDenied: boolean;
}

/** Returns the traffic of a row. */
export function rowTraffic(
  tokens: readonly TokenTraffic[],
  { formula, routes, countsDenied }: RowTrafficOptions,
): RowTraffic {
  const within = (calls: ReadonlyMap<string, Usage>): Usage =>
    sumUsage([...calls].filter(([route]) => routes?.has(route) ?? true).map(([, usage]) => usage));
  const rows = tokens.map((token) => ({
    token,
    allowed: within(token.allowed),
    all: within(countsDenied ? token.routes : token.allowed),
  })).filter(({ all }) => all.calls > 0);
  const usage = sumUsage(rows.map(({ all }) => all));
  return {
    usage,
    denied: usage.calls - sumUsage(rows.map(({ allowed }) => allowed)).calls,
    clients: new Set(rows.map(({ token }) => callerKey(token))).size,
    scopes: new Map(
      [...new Set(formula.flatMap((set) => [...set]))].map((scope) => {
        const sets = formula.filter((set) => set.has(scope));
        const own = rows.filter(({ token }) => sets.some((set) => set.isSubsetOf(token.scopes)));
        return [scope, sumUsage(own.map(({ allowed }) => allowed))] as const;
      }),
    ),
  };
}
