/**
 * A route of a policy: a method, and a path that may be any `URLPattern` pathname.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { upTo } from "../../shared/cache_limit.ts";
import { characters, complement } from "./characters.ts";
import { type Expression, lengthOf, repeated, sequence } from "./expression.ts";
import { parsePathname, withAsciiClasses } from "./pathname_pattern.ts";
import { type PathShape, shapeOf } from "./path_shape.ts";
import { PatternError } from "./regular_expression.ts";

/** The parts of `METHOD /path`. */
export interface RouteName {
  readonly method: string;
  readonly path: string;
}

/** A path that only `URLPattern` can match. */
export interface CompiledPattern {
  readonly expression: Expression;
  readonly shape: PathShape;
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

/** The most routes of a policy that only `URLPattern` can match. */
export const MAX_PATTERNS = 5_000;

/** Compiling one takes a millisecond, and each is needed for several checks and to match paths. */
const cache = new LRUCache<string, CompiledPattern>(upTo(MAX_PATTERNS));

/**
 * Compiles a path for `URLPattern`; throws `PatternError` if it is invalid, too long, or uses regular
 * expressions that cannot be judged.
 */
export function compilePattern(path: string): CompiledPattern {
  const cached = cache.get(path);
  if (cached !== undefined) return cached;
  const compiled = compile(path);
  cache.set(path, compiled);
  return compiled;
}

function compile(path: string): CompiledPattern {
  if (path.length > MAX_PATTERN_LENGTH) {
    throw new PatternError(`The path is longer than ${MAX_PATTERN_LENGTH} characters`);
  }
  const pattern = createPattern(withAsciiClasses(path));
  const expression = parsePathname(pattern.pathname);
  if (lengthOf(expression) > MAX_PATTERN_LENGTH) {
    throw new PatternError(
      `The path is longer than ${MAX_PATTERN_LENGTH} characters with its repetitions written out`,
    );
  }
  return {
    expression,
    shape: shapeOf(expression),
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
