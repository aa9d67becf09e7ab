/**
 * Finds the route of a policy for a call, and routes that overlap.
 *
 * @module
 */
import { type Automaton, findCommonPath, toAutomaton } from "./overlap.ts";
import { PatternError } from "./regular_expression.ts";
import {
  type CompiledPattern,
  compilePattern,
  isPlain,
  plainExpression,
  splitRoute,
} from "./route_pattern.ts";

/** Finds routes. Paths are raw, without the query, and safe (see `isSafePath()`). */
export interface RouteTable {
  /**
   * Returns the route as the policy names it; undefined if there is none. HEAD is decided like GET,
   * unless a route names it.
   */
  find(method: string, path: string): string | undefined;
}

/** Whole segments. A literal goes before a parameter. */
interface Segment {
  readonly literals: Map<string, Segment>;
  parameter: Segment | undefined;
  route: string | undefined;
}

interface PatternRoute {
  readonly route: string;
  readonly pattern: CompiledPattern;
}

interface MethodTable {
  readonly plain: Segment;
  readonly patterns: PatternRoute[];
}

/** Compiles routes, which are valid; of routes that overlap the first plain one counts. */
export function createRouteTable(routes: Iterable<string>): RouteTable {
  const methods = new Map<string, MethodTable>();
  for (const route of routes) {
    const { method, path } = splitRoute(route);
    const table = methods.getOrInsertComputed(method, () => ({ plain: segment(), patterns: [] }));
    if (isPlain(path)) declare(table.plain, route);
    else table.patterns.push({ route, pattern: compilePattern(path) });
  }
  const find = (method: string, path: string): string | undefined => {
    const table = methods.get(method);
    return table && (findPlain(table.plain, path, 1) ?? findPattern(table.patterns, path));
  };
  return {
    find: (method, path) =>
      find(method, path) ?? (method === "HEAD" ? find("GET", path) : undefined),
  };
}

function segment(): Segment {
  return { literals: new Map(), parameter: undefined, route: undefined };
}

function partsOf(path: string): string[] {
  return path.slice(1).split("/");
}

function declare(root: Segment, route: string): void {
  let at = root;
  for (const part of partsOf(splitRoute(route).path)) {
    at = part.startsWith(":")
      ? at.parameter ??= segment()
      : at.literals.getOrInsertComputed(part, segment);
  }
  at.route ??= route;
}

/** `start` is where the next segment begins. */
function findPlain(at: Segment, path: string, start: number): string | undefined {
  const slash = path.indexOf("/", start);
  const part = path.slice(start, slash < 0 ? path.length : slash);
  const nexts = [at.literals.get(part), part === "" ? undefined : at.parameter];
  for (const next of nexts) {
    if (next === undefined) continue;
    const found = slash < 0 ? next.route : findPlain(next, path, slash + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findPattern(patterns: readonly PatternRoute[], path: string): string | undefined {
  return patterns.find(({ pattern }) => path.startsWith(pattern.prefix) && pattern.test(path))
    ?.route;
}

/** Two routes of one method that the same call matches. */
export interface Overlap {
  /** The one that comes later. */
  readonly route: string;
  readonly other: string;
  /** A path that both match. */
  readonly path: string;
}

/** Returns, for each route that overlaps with an earlier one, the first such. Routes are valid. */
export function findOverlaps(routes: Iterable<string>): Overlap[] {
  const byMethod = Map.groupBy(routes, (route) => splitRoute(route).method);
  return [...byMethod.values()].flatMap(overlapsOf);
}

function overlapsOf(routes: readonly string[]): Overlap[] {
  const root = segment();
  const patterns: { readonly route: string; readonly automaton: Automaton }[] = [];
  const compiled = createAutomata();
  const found: Overlap[] = [];
  for (const route of routes) {
    const { path } = splitRoute(route);
    const others = isPlain(path)
      ? [...findPlainOverlap(root, partsOf(path)), ...patterns.map((one) => one.route)]
      : [...plainRoutes(root), ...patterns.map((one) => one.route)];
    const overlap = firstOverlap(route, others, compiled);
    if (overlap !== undefined) found.push(overlap);
    if (isPlain(path)) declare(root, route);
    else patterns.push({ route, automaton: compiled(route) });
  }
  return found;
}

/** Compiles each route once. */
function createAutomata(): (route: string) => Automaton {
  const cache = new Map<string, Automaton>();
  return (route) =>
    cache.getOrInsertComputed(route, () => {
      const { path } = splitRoute(route);
      return toAutomaton(isPlain(path) ? plainExpression(path) : compilePattern(path).expression);
    });
}

function firstOverlap(
  route: string,
  others: Iterable<string>,
  compiled: (route: string) => Automaton,
): Overlap | undefined {
  for (const other of others) {
    if (!canShareStart(splitRoute(route).path, splitRoute(other).path)) continue;
    const path = findCommonPath(compiled(other), compiled(route));
    if (path !== undefined) return { route, other, path };
  }
  return undefined;
}

/** Compares the literal segments that both begin with, which is much faster than automata. */
function canShareStart(a: string, b: string): boolean {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined || !isLiteral(part) || !isLiteral(other)) return true;
    if (part !== other) return false;
  }
  return true;
}

function isLiteral(part: string): boolean {
  return /^[\w.~-]+$/.test(part);
}

function* plainRoutes(at: Segment): Generator<string> {
  if (at.route !== undefined) yield at.route;
  for (const next of [...at.literals.values(), at.parameter]) if (next) yield* plainRoutes(next);
}

/** Yields the plain routes that match some path of these segments. */
function* findPlainOverlap(at: Segment, [part, ...rest]: readonly string[]): Generator<string> {
  if (part === undefined) {
    if (at.route !== undefined) yield at.route;
    return;
  }
  const nexts = part.startsWith(":")
    ? [...[...at.literals].filter(([name]) => name !== "").map(([, next]) => next), at.parameter]
    : [at.literals.get(part), part === "" ? undefined : at.parameter];
  for (const next of nexts) if (next !== undefined) yield* findPlainOverlap(next, rest);
}

/** Slow patterns, each tried for a request, must not hold the process for long together. */
const MAX_SLOW_PATTERNS = 8;

/** Returns what is wrong with the path of a route; undefined if it is valid. */
export function pathIssue(path: string): string | undefined {
  const names: readonly string[] = path.match(/(?<=\/:)\w+/g) ?? [];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return `The path has two parameters that are called ${repeated}`;
  if (isPlain(path)) return undefined;
  try {
    compilePattern(path);
    return undefined;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return error.message;
  }
}

/** Returns a sentence for each route that overlaps with another one, or makes matching slow. */
export function routeTableIssues(routes: readonly string[]): { route: string; detail: string }[] {
  const slow = routes.filter((route) => {
    const { path } = splitRoute(route);
    return !isPlain(path) && compilePattern(path).exponent > 1;
  });
  return [
    ...findOverlaps(routes).map(({ route, other, path }) => ({
      route,
      detail: `It overlaps with "${other}": both match ${splitRoute(route).method} ${path}`,
    })),
    ...slow.slice(MAX_SLOW_PATTERNS).map((route) => ({
      route,
      detail: `More than ${MAX_SLOW_PATTERNS} routes with two parts of any length: split this one`,
    })),
  ];
}
