/**
 * The route table, compiled once from URLPattern pathnames into an index by segment.
 *
 * @module
 */
import type { Method } from "./endpoint.ts";

/** Method and path of a route. */
export interface RouteDeclaration {
  readonly method: Method;
  /** URLPattern pathname of literal segments and `:name`s. */
  readonly path: string;
}

/** Everything declared on one path. */
export interface RouteEntry<R> {
  readonly path: string;
  readonly methods: ReadonlyMap<string, R>;
  /** Value of `Allow`. */
  readonly allow: string;
}

export interface RouteMatch<R> {
  readonly entry: RouteEntry<R>;
  /** Decoded parameters by the names that the table declares. */
  readonly params: Readonly<Record<string, string>>;
}

export interface Router<R> {
  /** Returns the entry for a raw path; undefined if there is none or the path is not canonical. */
  match(path: string): RouteMatch<R> | undefined;
}

/** INVARIANT: a segment has literals or a parameter, never both. */
interface Segment<R> {
  readonly literals: Map<string, Segment<R>>;
  param: { readonly name: string; readonly next: Segment<R> } | undefined;
  entry: RouteEntry<R> | undefined;
}

// A segment of unreserved and sub-delim characters that does not start with a dot.
const PLAIN = /^[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*$/;
const ENCODED = /^(?:\/(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+)+$/;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;
const NEEDLESS_OR_UNSAFE = /[A-Za-z0-9\-._~/\\\p{Cc}]/u;

/** Builds the index; throws if two routes are equal or a path could match both. */
export function createRouter<R extends RouteDeclaration>(routes: readonly R[]): Router<R> {
  const root = segment<R>();
  for (const route of routes) declare(root, route);
  return { match: (path) => match(root, path) };
}

/**
 * Returns whether a raw path is canonical: it has no empty, dot or trailing segment, and escapes no
 * character that needs no escape or would change the segments.
 */
export function isCanonical(path: string): boolean {
  if (path === "/") return true;
  if (!ENCODED.test(path) || DOT_SEGMENT.test(path)) return false;
  return (path.match(/(?:%[0-9A-Fa-f]{2})+/g) ?? []).every((escapes) => {
    const text = decode(escapes);
    return text !== undefined && !NEEDLESS_OR_UNSAFE.test(text);
  });
}

function segment<R>(): Segment<R> {
  return { literals: new Map(), param: undefined, entry: undefined };
}

function declare<R extends RouteDeclaration>(root: Segment<R>, route: R): void {
  let at = root;
  for (const part of route.path === "/" ? [] : route.path.slice(1).split("/")) {
    at = part.startsWith(":")
      ? paramChild(at, part.slice(1), route)
      : literalChild(at, part, route);
  }
  const methods = new Map(at.entry?.methods);
  if (methods.has(route.method)) throw new Error(`Declared twice: ${route.method} ${route.path}`);
  methods.set(route.method, route);
  at.entry = { path: route.path, methods, allow: allowed([...methods.keys()]) };
}

function literalChild<R>(at: Segment<R>, text: string, route: RouteDeclaration): Segment<R> {
  if (at.param !== undefined) throw ambiguous(route);
  return at.literals.getOrInsertComputed(text, () => segment<R>());
}

function paramChild<R>(at: Segment<R>, name: string, route: RouteDeclaration): Segment<R> {
  if (at.literals.size > 0 || (at.param !== undefined && at.param.name !== name)) {
    throw ambiguous(route);
  }
  at.param ??= { name, next: segment<R>() };
  return at.param.next;
}

function ambiguous(route: RouteDeclaration): Error {
  return new Error(`Route is ambiguous with an earlier one: ${route.path}`);
}

function allowed(methods: readonly string[]): string {
  const head = methods.includes("GET") ? ["HEAD"] : [];
  return [...methods, ...head, "OPTIONS"].sort().join(", ");
}

function match<R>(root: Segment<R>, path: string): RouteMatch<R> | undefined {
  // An ordinary object is safe, because the names are those of our own routes.
  const params: Record<string, string> = {};
  let at: Segment<R> | undefined = root;
  let start = 1;
  while (start < path.length) {
    const slash = path.indexOf("/", start);
    const end = slash < 0 ? path.length : slash;
    if (at.param === undefined) at = at.literals.get(path.slice(start, end));
    else {
      const value = readParam(path, path.slice(start, end));
      if (value === undefined) return undefined;
      params[at.param.name] = value;
      at = at.param.next;
    }
    if (at === undefined) return undefined;
    start = end + 1;
  }
  const endsInSlash = start === path.length && path !== "/";
  return endsInSlash || at.entry === undefined ? undefined : { entry: at.entry, params };
}

// Literal segments are canonical, so only parameters need the check.
function readParam(path: string, part: string): string | undefined {
  if (PLAIN.test(part)) return part;
  return isCanonical(path) ? decodeURIComponent(part) : undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
