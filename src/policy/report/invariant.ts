/**
 * Describes a statement in words.
 *
 * @module
 */
import type { Invariant } from "../analysis/invariant_schema.ts";

const WORDS: ReadonlyMap<string, string> = new Map([
  ["*", "anything"],
  ["reads", "anything that reads"],
  ["writes", "anything that writes"],
]);

/** Returns a sentence such as `Tokens with only *.read cannot call anything that writes`. */
export function sentenceOf(invariant: Invariant): string {
  const { canCall, cannotCall, canSee, cannotSee, except } = invariant;
  const claims = [
    ["cannot call", cannotCall],
    ["can call", canCall],
    ["do not see", cannotSee],
    ["see", canSee],
  ] as const;
  const parts = claims.flatMap(([verb, names]) =>
    names === undefined ? [] : [`${verb} ${list(names)}`]
  );
  const exception = except === undefined ? "" : `, except ${list(except)}`;
  return `${subjectOf(invariant)} ${parts.join(", ")}${exception}`;
}

function subjectOf({ tokens }: Invariant): string {
  const { only } = tokens;
  const kinds = [
    ...(only === undefined
      ? []
      : [only.length === 0 ? "with no scope" : `with only ${list(only)}`]),
    ...(tokens.with === undefined ? [] : [`with ${list(tokens.with)}`]),
    ...(tokens.without === undefined ? [] : [`without ${list(tokens.without)}`]),
  ];
  return kinds.length === 0 ? "All tokens" : `Tokens ${kinds.join(" ")}`;
}

function list(names: readonly string[]): string {
  return names.map((name) => WORDS.get(name) ?? name).join(", ");
}
