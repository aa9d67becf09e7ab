/**
 * Finds the route of a policy for a call, and routes that overlap.
 *
 * @module
 */
import { lazy } from "../../shared/lazy.ts";
import type { Rest } from "../../shared/yield_to_event_loop.ts";
import { exponentOf } from "./cost.ts";
import { type Automaton, findCommonPath, toAutomaton } from "./overlap.ts";
import { hasEnds, haveCommonEnds, type PathShape } from "./path_shape.ts";
import { PatternError } from "./regular_expression.ts";
import {
  type CompiledPattern,
  compilePattern,
  isPlain,
  MAX_PATTERNS,
  plainExpression,
  splitRoute,
} from "./route_pattern.ts";
import { addShape, createShapeTree, shapesOf, type ShapeTree, sharedShapes } from "./shape_tree.ts";

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
  readonly patterns: ShapeTree<PatternRoute>;
}

/** Compiles routes, which are valid; of routes that overlap the first plain one counts. */
export function createRouteTable(routes: Iterable<string>): RouteTable {
  const methods = new Map<string, MethodTable>();
  for (const route of routes) {
    const { method, path } = splitRoute(route);
    const table = methods.getOrInsertComputed(method, () => ({
      plain: segment(),
      patterns: createShapeTree(),
    }));
    if (isPlain(path)) declare(table.plain, route);
    else {
      const pattern = compilePattern(path);
      addShape(table.patterns, pattern.shape, { route, pattern });
    }
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

/** Compiles the patterns of routes for a table that is created next, which takes a millisecond each. */
export async function compilePatterns(routes: Iterable<string>, rest: Rest): Promise<void> {
  for (const route of routes) {
    const { path } = splitRoute(route);
    if (isPlain(path)) continue;
    compilePattern(path);
    await rest();
  }
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

function findPattern(patterns: ShapeTree<PatternRoute>, path: string): string | undefined {
  for (const { route, pattern } of shapesOf(patterns, partsOf(path))) {
    if (hasEnds(path, pattern.shape) && pattern.test(path)) return route;
  }
  return undefined;
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
  const earlier = createShapeTree<PathRoute>();
  return routes.flatMap((route) => {
    const own = toPathRoute(route);
    const found = firstOverlap(own, sharedShapes(earlier, own.shape));
    addShape(earlier, own.shape, own);
    return found ?? [];
  });
}

/** A route as it is compared with others. */
interface PathRoute {
  readonly route: string;
  readonly shape: PathShape;
  readonly automaton: () => Automaton;
}

function toPathRoute(route: string): PathRoute {
  const { path } = splitRoute(route);
  if (isPlain(path)) {
    return {
      route,
      shape: plainShape(path),
      automaton: lazy(() => toAutomaton(plainExpression(path))),
    };
  }
  const { expression, shape } = compilePattern(path);
  return { route, shape, automaton: lazy(() => toAutomaton(expression)) };
}

function plainShape(path: string): PathShape {
  const segments = partsOf(path).map((part) => part.startsWith(":") ? undefined : part);
  const [prefix = "", ...parameters] = path.split(/:\w+/);
  return { prefix, suffix: parameters.at(-1) ?? prefix, segments, isWhole: true };
}

function firstOverlap(own: PathRoute, others: Iterable<PathRoute>): Overlap | undefined {
  for (const other of others) {
    if (!haveCommonEnds(own.shape, other.shape)) continue;
    const path = findCommonPath(other.automaton(), own.automaton());
    if (path !== undefined) return { route: own.route, other: other.route, path };
  }
  return undefined;
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
    exponentOf(compilePattern(path).expression);
    return undefined;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return error.message;
  }
}

/** Returns a sentence for each route that overlaps with another one, or makes matching slow. */
export function routeTableIssues(routes: readonly string[]): { route: string; detail: string }[] {
  const patterns = routes.filter((route) => !isPlain(splitRoute(route).path));
  const slow = patterns.filter((route) =>
    exponentOf(compilePattern(splitRoute(route).path).expression) > 1
  );
  return [
    ...patterns.slice(MAX_PATTERNS).map((route) => ({
      route,
      detail: `More than ${MAX_PATTERNS.toLocaleString("en")} routes with patterns`,
    })),
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
