/**
 * How the paths begin and end that a pattern matches, which tells most patterns apart.
 *
 * @module
 */
import { characters, exampleOf, NO_CHARACTER } from "./characters.ts";
import { type Expression, firstOf, sequence } from "./expression.ts";

export interface PathShape {
  /** The literal text that every match begins with. */
  readonly prefix: string;
  /** The literal text that every match ends with. */
  readonly suffix: string;
  /** The segments that every match begins with; undefined for one that can have several texts. */
  readonly segments: readonly (string | undefined)[];
  /** True if no match has more segments. */
  readonly isWhole: boolean;
}

const SLASH = characters("/");

/** Returns how the matches of a pathname begin and end. */
export function shapeOf(expression: Expression): PathShape {
  const items = expression.kind === "sequence" ? expression.items : [expression];
  const ends = { prefix: prefixOf(items), suffix: suffixOf(items) };
  const segments: (string | undefined)[] = [];
  let segment: string | undefined = "";
  for (const [index, item] of items.entries()) {
    const sign = literalOf(item);
    if (sign === "/") {
      if (index > 0) segments.push(segment);
      segment = "";
    } else if (index === 0 || canContainSlash(item)) {
      const rest = sequence(...items.slice(index));
      // Otherwise the rest can belong to the same segment.
      if (index > 0 && firstOf(rest) === SLASH) segments.push(segment);
      return { ...ends, segments, isWhole: false };
    } else {
      segment = segment === undefined || sign === undefined ? undefined : segment + sign;
    }
  }
  return { ...ends, segments: [...segments, segment], isWhole: true };
}

/** Returns whether a text can begin and end as both require. */
export function haveCommonEnds(one: PathShape, other: PathShape): boolean {
  return (one.prefix.startsWith(other.prefix) || other.prefix.startsWith(one.prefix)) &&
    (one.suffix.endsWith(other.suffix) || other.suffix.endsWith(one.suffix));
}

/** Returns whether a path begins and ends like all matches. */
export function hasEnds(path: string, { prefix, suffix }: PathShape): boolean {
  return path.startsWith(prefix) && path.endsWith(suffix);
}

function prefixOf(items: readonly Expression[]): string {
  const signs = items.map(literalOf);
  const end = signs.indexOf(undefined);
  return signs.slice(0, end < 0 ? signs.length : end).join("");
}

function suffixOf(items: readonly Expression[]): string {
  const signs = items.map(literalOf);
  return signs.slice(signs.lastIndexOf(undefined) + 1).join("");
}

/** Returns the character that an expression consists of; undefined if it is any other expression. */
function literalOf(expression: Expression): string | undefined {
  if (expression.kind !== "character") return undefined;
  const sign = exampleOf(expression.set);
  return sign !== undefined && expression.set === characters(sign) ? sign : undefined;
}

function canContainSlash(expression: Expression): boolean {
  if (expression.kind === "character") return (expression.set & SLASH) !== NO_CHARACTER;
  if (expression.kind === "loop") return canContainSlash(expression.item);
  return expression.items.some(canContainSlash);
}
