/**
 * Writes a policy from the `security` of an OpenAPI document.
 *
 * @module
 */
import { printJson } from "./lint/print_json.ts";
import { findOverlaps } from "./routes/route_table.ts";
import { toVisible } from "../shared/visible_text.ts";
import { isServiceScope, serviceRouteIssue } from "./service_names.ts";

export interface InitOptions {
  /** The parsed document. */
  readonly document: unknown;
  /** Name of the service. */
  readonly service: string;
  /** Put before each path, such as `/v1`; default: the path of the first server. */
  readonly prefix?: string;
}

export interface InitResult {
  /** Text of the policy file. */
  readonly text: string;
  /** Points that the author must look at, one sentence each. */
  readonly notices: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;

interface Operation {
  readonly route: string;
  readonly path: string;
  readonly method: string;
  readonly security: unknown;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * Returns a policy with a rule for each operation. A route whose document names no scope gets one
 * that is made of its path, so that nothing is open by accident.
 */
export function createPolicy(options: InitOptions): InitResult {
  const document = membersOf(options.document);
  const notices: string[] = [];
  const operations = disjoint(operationsOf(document, prefixOf(document, options)), notices);
  const scopes = new Map(declaredScopes(document));
  const routes = operations.map((operation) => {
    const rule = ruleOf(operation.security, document);
    for (const scheme of unchecked(operation.security, document)) {
      notices.push(`${operation.route}: the document also asks for ${scheme}, which no rule can`);
    }
    if (rule !== undefined) return [operation.route, rule] as const;
    const scope = scopeOf(operation);
    scopes.set(scope, `${verbOf(operation)} ${scope.split(":")[0]}.`);
    notices.push(`${operation.route}: the document names no scope, so it requires ${scope}`);
    return [operation.route, [scope]] as const;
  });
  const used = new Set(routes.flatMap(([, rule]) => namesIn(rule)));
  const text = printJson({
    service: options.service,
    scopes: Object.fromEntries(
      [...used].sort().map((scope) => [scope, toLine(scopes.get(scope)) || `Allows ${scope}.`]),
    ),
    routes: Object.fromEntries(routes),
    fields: {},
  }, { spread: (path) => path.length < 2 });
  return { text, notices };
}

/** Descriptions in documents are Markdown of any number of lines. */
function toLine(description = ""): string {
  return toVisible(description.trim().replaceAll(/\s+/g, " "));
}

function prefixOf(document: Members, { prefix }: InitOptions): string {
  if (prefix !== undefined) return prefix.replace(/\/$/, "");
  const url = String(membersOf(itemsOf(document["servers"])[0])["url"] ?? "");
  const path = URL.parse(url, "http://host")?.pathname ?? "/";
  return path.includes("%7B") ? "" : path.replace(/\/$/, "");
}

function operationsOf(document: Members, prefix: string): Operation[] {
  return Object.entries(membersOf(document["paths"])).flatMap(([template, item]) =>
    METHODS.flatMap((name) => {
      const operation = membersOf(item)[name];
      if (operation === undefined) return [];
      const method = name.toUpperCase();
      const path = prefix + toPattern(template);
      const security = membersOf(operation)["security"] ?? document["security"];
      return [{ route: `${method} ${path}`, path, method, security }];
    })
  );
}

/** `/users/{user-id}:get` as a pattern: `/users/:user_id\:get`. */
function toPattern(template: string): string {
  return template.split(/(\{[^}]*\})/).map((part) => {
    if (!part.startsWith("{")) return part.replaceAll(/[:*+?(){}\\]/g, "\\$&");
    const name = part.slice(1, -1).replaceAll(/\W/g, "_");
    return `:${/^\d/.test(name) || name === "" ? `_${name}` : name}`;
  }).join("");
}

/** Lets parameters match no literal of another route: OpenAPI prefers literals, policies do not. */
function disjoint(operations: readonly Operation[], notices: string[]): Operation[] {
  const valid = operations.filter(({ route }) => {
    const issue = serviceRouteIssue(route);
    if (issue !== undefined) notices.push(`${route} is left out: ${issue}`);
    return issue === undefined;
  });
  const result = valid.map((operation) => {
    const path = operation.path.split("/").map((part, index, parts) => {
      if (!/^:\w+$/.test(part)) return part;
      const words = literalsBeside(valid, { operation, index, parts });
      return words.length === 0 ? part : `${part}(${exceptWords(words)})`;
    }).join("/");
    return { ...operation, path, route: `${operation.method} ${path}` };
  });
  for (const { route, other, path } of findOverlaps(result.map((one) => one.route))) {
    notices.push(`${route} overlaps with ${other}, for example at ${path}: change one of them`);
  }
  return result;
}

interface ParameterPlace {
  readonly operation: Operation;
  readonly index: number;
  readonly parts: readonly string[];
}

/** Returns the literals of routes that differ in this segment alone. */
function literalsBeside(
  operations: readonly Operation[],
  { operation, index, parts }: ParameterPlace,
): string[] {
  const others = operations.filter(({ method, path }) => {
    const own = path.split("/");
    return method === operation.method && own.length === parts.length &&
      /^[\w.~-]+$/.test(own[index] ?? "") &&
      own.every((part, at) =>
        at === index || part === parts[at] || (part.startsWith(":") && parts[at]?.startsWith(":"))
      );
  });
  return [...new Set(others.map(({ path }) => path.split("/")[index] ?? ""))].sort();
}

/**
 * Returns a regular expression for all segments but these words. Lookahead would be shorter, but is
 * not part of what `URLPattern` accepts everywhere.
 */
function exceptWords(words: readonly string[]): string {
  const starts = Map.groupBy(words.filter((word) => word !== ""), (word) => word[0] ?? "");
  const others = [...starts.keys()].map((sign) => sign === "-" ? "\\-" : sign).join("");
  const longer = [...starts].map(([sign, those]) => {
    const rests = those.map((word) => word.slice(1));
    return `${escape(sign)}${exceptRest(rests)}`;
  });
  return [`[^${others}/][^/]*`, ...longer].join("|");
}

/**
 * Like {@linkcode exceptWords}, after a first character; the empty rest is one of the words or not.
 */
function exceptRest(rests: readonly string[]): string {
  const isWord = rests.includes("");
  const left = rests.filter((rest) => rest !== "");
  const all = left.length === 0 ? "[^/]+" : `(?:${exceptWords(left)})`;
  return isWord ? all : `(?:${left.length === 0 ? "[^/]+" : exceptWords(left)})?`;
}

/** Words consist of letters, digits, `_`, `.`, `~` and `-`. */
function escape(sign: string): string {
  return sign === "." ? "\\." : sign;
}

/** Returns a rule; undefined if the document names no scope and does not say that it is open. */
function ruleOf(security: unknown, document: Members): unknown {
  if (security === undefined) return undefined;
  const lists = itemsOf(security).map((requirement) =>
    Object.entries(membersOf(requirement)).flatMap(([scheme, scopes]) =>
      isTokenScheme(scheme, document) ? itemsOf(scopes).map(String) : []
    )
  );
  const requirements = itemsOf(security).map((one) => Object.keys(membersOf(one)).length);
  if (requirements.length === 0 || requirements.includes(0)) return "public";
  const named = lists.map((list) => [...new Set(list)].filter(isServiceScope))
    .filter((list) => list.length > 0);
  // An alternative without scopes would be satisfied by any token, which no rule can say.
  if (named.length < lists.length) return undefined;
  const distinct = [...new Map(named.map((list) => [list.toSorted().join(" "), list])).values()];
  return distinct.length === 1 ? distinct[0] : { anyOf: distinct };
}

/** Returns the schemes that are needed besides scopes, and are no access tokens. */
function unchecked(security: unknown, document: Members): Set<string> {
  const needed = itemsOf(security).map(membersOf).filter((schemes) =>
    Object.keys(schemes).length > 1
  );
  return new Set(
    needed.flatMap((schemes) =>
      Object.keys(schemes).filter((one) => !isTokenScheme(one, document))
    ),
  );
}

function isTokenScheme(name: string, document: Members): boolean {
  const schemes = membersOf(membersOf(document["components"])["securitySchemes"]);
  return membersOf(schemes[name])["type"] !== "apiKey";
}

function* declaredScopes(document: Members): Generator<[scope: string, description: string]> {
  const schemes = membersOf(membersOf(document["components"])["securitySchemes"]);
  for (const scheme of Object.values(schemes)) {
    for (const flow of Object.values(membersOf(membersOf(scheme)["flows"]))) {
      for (const [scope, text] of Object.entries(membersOf(membersOf(flow)["scopes"]))) {
        yield [scope, String(text)];
      }
    }
  }
}

/** `orders:read`, made of the first literal of a path. */
function scopeOf({ path, method }: Operation): string {
  const words = path.split("/").filter((part) => /^[A-Za-z][\w.-]*$/.test(part));
  const resource = words.find((word) => !/^(?:api|v\d+)$/i.test(word)) ?? "service";
  return `${resource}:${/^(?:GET|HEAD|OPTIONS)$/.test(method) ? "read" : "write"}`;
}

function verbOf({ method }: Operation): string {
  return /^(?:GET|HEAD|OPTIONS)$/.test(method) ? "Read" : "Write";
}

function namesIn(rule: unknown): string[] {
  if (Array.isArray(rule)) return rule.flatMap((one) => Array.isArray(one) ? one : [one]);
  return itemsOf(membersOf(rule)["anyOf"]).flatMap((list) => itemsOf(list).map(String));
}

function membersOf(value: unknown): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value));
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
