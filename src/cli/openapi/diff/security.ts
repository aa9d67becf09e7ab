/**
 * What the tokens of an operation must hold.
 *
 * @module
 */
import type { JsonObject } from "../json.ts";
import { isSchema } from "../walk.ts";
import type { Finding, Pair } from "./finding.ts";

/** Sets of scopes, each of which opens an operation; an empty one opens it to everyone. */
type Alternatives = readonly ReadonlySet<string>[];

/** What differs between the requirements of two operations, whose documents may have some for all. */
export function* compareSecurity(
  operations: Pair<JsonObject>,
  documents: Pair<JsonObject>,
): Generator<Finding> {
  const before = alternativesOf(operations.before, documents.before);
  const after = alternativesOf(operations.after, documents.after);
  const place = "security";
  for (const lost of before.filter((one) => !isEnough(one, after))) {
    yield { place, detail: `no longer open to ${inWords(lost)}`, isBreaking: true };
  }
  for (const gained of after.filter((one) => !isEnough(one, before))) {
    yield { place, detail: `open to ${inWords(gained)}`, isBreaking: false };
  }
}

function isEnough(held: ReadonlySet<string>, alternatives: Alternatives): boolean {
  return alternatives.some((needed) => needed.isSubsetOf(held));
}

function alternativesOf(operation: JsonObject, document: JsonObject): Alternatives {
  const security = operation["security"] ?? document["security"];
  const list = Array.isArray(security) ? security.filter(isSchema) : [];
  return list.length === 0 ? [new Set()] : list.map(scopesOf);
}

/** A scheme alone counts as a scope of its own: who lacks it lacks every scope of it. */
function scopesOf(requirement: JsonObject): ReadonlySet<string> {
  return new Set(
    Object.entries(requirement).flatMap(([scheme, scopes]) => [
      scheme,
      ...(Array.isArray(scopes) ? scopes.map((scope) => `${scheme} ${scope}`) : []),
    ]),
  );
}

function inWords(held: ReadonlySet<string>): string {
  const scopes = [...held].filter((one) => one.includes(" "));
  if (held.size === 0) return "everyone";
  return (scopes.length === 0 ? [...held] : scopes).join(" + ");
}
