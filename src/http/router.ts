/**
 * The route table, compiled once from URLPattern pathnames into an index by segment.
 *
 * @module
 */
import type { Method } from "./endpoint.ts";

/** What a route is declared by. */
export interface Routed {
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
  /** The entry that a raw path names; undefined where none does, or where the path is not canonical. */
  match(path: string): RouteMatch<R> | undefined;
}

/** INVARIANT: a segment has literals or a parameter, never both. */
interface Segment<R> {
  readonly literals: Map<string, Segment<R>>;
  param: { readonly name: string; readonly next: Segment<R> } | undefined;
  entry: RouteEntry<R> | undefined;
}

// Non-empty segments of unreserved and sub-delim characters, none of which begins with a dot.
const PLAIN = /^(?:\/[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*)+$/;
const ENCODED = /^(?:\/(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+)+$/;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;
const NEEDLESS_OR_UNSAFE = /[A-Za-z0-9\-._~/\\\p{Cc}]/u;

/** Builds the index; throws where two routes are the same or one path could be read two ways. */
export function createRouter<R extends Routed>(routes: readonly R[]): Router<R> {
  const root = segment<R>();
  for (const route of routes) declare(root, route);
  return { match: (path) => match(root, path) };
}

/**
 * Whether a raw path is the one spelling of what it decodes to: no empty, dot or trailing segment,
 * no escape of a character that needs none or that would change the path's shape.
 */
export function isCanonical(path: string): boolean {
  if (path === "/" || PLAIN.test(path)) return true;
  if (!ENCODED.test(path) || DOT_SEGMENT.test(path)) return false;
  return (path.match(/(?:%[0-9A-Fa-f]{2})+/g) ?? []).every((escapes) => {
    const text = decode(escapes);
    return text !== undefined && !NEEDLESS_OR_UNSAFE.test(text);
  });
}

function segment<R>(): Segment<R> {
  return { literals: new Map(), param: undefined, entry: undefined };
}

function declare<R extends Routed>(root: Segment<R>, route: R): void {
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

function literalChild<R>(at: Segment<R>, part: string, route: Routed): Segment<R> {
  if (at.param !== undefined) throw ambiguous(route);
  const next = at.literals.get(part) ?? segment<R>();
  at.literals.set(part, next);
  return next;
}

function paramChild<R>(at: Segment<R>, name: string, route: Routed): Segment<R> {
  if (at.literals.size > 0 || (at.param !== undefined && at.param.name !== name)) {
    throw ambiguous(route);
  }
  at.param ??= { name, next: segment<R>() };
  return at.param.next;
}

function ambiguous(route: Routed): Error {
  return new Error(`Route can be read two ways beside an earlier one: ${route.path}`);
}

function allowed(methods: readonly string[]): string {
  const head = methods.includes("GET") ? ["HEAD"] : [];
  return [...methods, ...head, "OPTIONS"].sort().join(", ");
}

function match<R>(root: Segment<R>, path: string): RouteMatch<R> | undefined {
  if (!isCanonical(path)) return undefined;
  // Its names are those of our own table, so an ordinary object is safe, and quicker than one without
  // a prototype.
  const params: Record<string, string> = {};
  const isEncoded = path.includes("%");
  let at: Segment<R> | undefined = root;
  for (let start = 1; start < path.length;) {
    const slash = path.indexOf("/", start);
    const end = slash < 0 ? path.length : slash;
    const part = path.slice(start, end);
    if (at.param === undefined) at = at.literals.get(part);
    else {
      params[at.param.name] = isEncoded ? decodeURIComponent(part) : part;
      at = at.param.next;
    }
    if (at === undefined) return undefined;
    start = end + 1;
  }
  return at.entry && { entry: at.entry, params };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
