/**
 * A policy's digest: a fingerprint of what it decides.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Formula } from "./analysis/formula.ts";
import { normalize } from "./analysis/normal.ts";
import type { Policy } from "./schema.ts";

/**
 * Returns the SHA-256 of a policy's normal form, in hexadecimal. Two policies have the same digest
 * exactly if they decide every call and show every field alike: whitespace, order, descriptions,
 * redundant alternatives and "public" fields do not count.
 */
export function digestOf(policy: Policy): string {
  return createHash("sha256").update(normalText(policy)).digest("hex");
}

/** Returns the text that {@linkcode digestOf} hashes: JSON on one line. */
export function normalText(policy: Policy): string {
  const { routes, fields } = normalize(policy);
  const toRows = (table: ReadonlyMap<string, Formula>): [string, string[][]][] =>
    [...table].sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, formula]) => [name, formula.map((set) => [...set])]);
  return JSON.stringify({
    version: 1,
    // A route that nobody may call is equivalent to no route, a field that everybody sees to no field.
    routes: toRows(routes).filter(([, sets]) => sets.length > 0),
    fields: toRows(fields).filter(([, sets]) => !sets.some((set) => set.length === 0)),
  });
}
