/**
 * One short name for what a policy decides.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Formula } from "./analysis/formula.ts";
import { normalize } from "./analysis/normal.ts";
import type { Policy } from "./schema.ts";

/**
 * SHA-256, in hexadecimal, of a policy's normal form. Two policies have the same digest exactly when
 * they decide every call and show every field alike: spaces, order, descriptions, alternatives that
 * change nothing and "public" fields do not count.
 */
export function digestOf(policy: Policy): string {
  return createHash("sha256").update(normalText(policy)).digest("hex");
}

/** The text that {@linkcode digestOf} takes the digest of: JSON on one line. */
export function normalText(policy: Policy): string {
  const { bits, routes, fields } = normalize(policy);
  const toRows = (table: ReadonlyMap<string, Formula>): [string, string[][]][] =>
    [...table].sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, formula]) => [name, formula.map((mask) => bits.names(mask))]);
  return JSON.stringify({
    version: 1,
    // A route that nobody may call is as good as absent, and so is a field that everybody sees.
    routes: toRows(routes).filter(([, sets]) => sets.length > 0),
    fields: toRows(fields).filter(([, sets]) => !sets.some((set) => set.length === 0)),
  });
}
