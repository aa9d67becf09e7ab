/**
 * A route of a policy: a method, and a path that may be any `URLPattern` pathname.
 *
 * @module
 */
import { characters, complement } from "./characters.ts";
import { exponentOf } from "./cost.ts";
import { type Expression, repeated, sequence } from "./expression.ts";
import { parsePathname } from "./pathname_pattern.ts";
import { PatternError } from "./regular_expression.ts";

/** The parts of `METHOD /path`. */
export interface RouteName {
  readonly method: string;
  readonly path: string;
}

/** A path that only `URLPattern` can match. */
export interface CompiledPattern {
  /** The text that every match begins with. */
  readonly prefix: string;
  readonly expression: Expression;
  /** The power of the length of a path that the time to match grows with. */
  readonly exponent: number;
  test(path: string): boolean;
}

/** Longer paths match no pattern, which bounds the time to match one. */
export const MAX_PATTERN_PATH = 2_048;

const MAX_PATTERN_LENGTH = 1_000;
// Whole segments: a literal, or a parameter.
const PLAIN = /^\/(?:(?::[A-Za-z_]\w*|[\w.~!$&',;=@%-]+)\/)*(?::[A-Za-z_]\w*|[\w.~!$&',;=@%-]+)?$/;

/** Divides the name of a route. */
export function splitRoute(route: string): RouteName {
  const space = route.indexOf(" ");
  return { method: route.slice(0, space), path: route.slice(space + 1) };
}

/** Returns whether a path consists of literal segments and of parameters that are whole segments. */
export function isPlain(path: string): boolean {
  return PLAIN.test(path);
}

/**
 * Compiles a path for `URLPattern`; throws `PatternError` if it is invalid, could take too long to
 * match, or uses regular expressions that cannot be judged.
 */
export function compilePattern(path: string): CompiledPattern {
  if (path.length > MAX_PATTERN_LENGTH) {
    throw new PatternError(`The path is longer than ${MAX_PATTERN_LENGTH} characters`);
  }
  const pattern = createPattern(path);
  const expression = parsePathname(pattern.pathname);
  return {
    prefix: /^[\w.~!$&',;=@%/-]*(?=\/)/.exec(pattern.pathname)?.[0] ?? "",
    expression,
    exponent: exponentOf(expression),
    // A text is matched ten times as fast as an object with the pathname.
    test: (text) => text.length <= MAX_PATTERN_PATH && pattern.test(`http://host${text}`),
  };
}

function createPattern(path: string): URLPattern {
  try {
    return new URLPattern({ pathname: path });
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new PatternError(`The path is not a URLPattern: ${reason}`);
  }
}

const SEGMENT = repeated({ kind: "character", set: complement(characters("/")) }, 1, Infinity);

/** Returns what a plain path matches. */
export function plainExpression(path: string): Expression {
  return sequence(
    ...path.split(/(:\w+)/).flatMap((part) =>
      part.startsWith(":")
        ? [SEGMENT]
        : [...part].map((sign): Expression => ({ kind: "character", set: characters(sign) }))
    ),
  );
}
