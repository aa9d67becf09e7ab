/**
 * Parses and validates the policy file, `scopes.json`.
 *
 * @module
 */
import * as v from "valibot";
import { ACR_VALUE, acrValuesIn } from "../shared/acr.ts";
import { createIssue, PolicyError, type PolicyIssue } from "./issue.ts";
import { hasTooMany, MAX_ALTERNATIVES, toAliasRules, withSafeAliases } from "./aliases.ts";
import { describeMembers, type Invariant, invariant } from "./analysis/invariant_schema.ts";
import { isServiceScope, SERVICE, serviceRouteIssue } from "./service_names.ts";
import { findDepthIssue, findDuplicateKeys } from "./json_keys.ts";
import { findInvisibleTexts } from "./visible_json.ts";

/** The scopes that a token needs. */
export interface Rule {
  /** True if no token is needed. */
  readonly public: boolean;
  /** Lists of scopes. A token needs all scopes of one list. Empty if public. */
  readonly alternatives: readonly (readonly string[])[];
}

export interface Policy {
  /** The description of each scope, by name. */
  readonly scopes: ReadonlyMap<string, string>;
  /** The rule of each route, by `METHOD path`. */
  readonly routes: ReadonlyMap<string, Rule>;
  /** The rule of each guarded field, by its dotted name. */
  readonly fields: ReadonlyMap<string, Rule>;
  /**
   * The routes among `routes` that have no rule of their own, each with those whose rules decide
   * its calls: it needs what all of them need.
   */
  readonly aliases?: ReadonlyMap<string, readonly string[]>;
}

/** A policy file: the policy, and what only the reviewers' tools read. */
export interface PolicyFile {
  /** The service that the policy guards; undefined for Recto itself. */
  readonly service?: string;
  readonly policy: Policy;
  /** Routes that only read although their method is not GET (RFC 9110 section 9.2.1). */
  readonly safe: ReadonlySet<string>;
  /** By the name of a route, a field or a scope. */
  readonly notes: ReadonlyMap<string, Note>;
  readonly invariants: readonly Invariant[];
}

/** A value or name that does not match the schema. */
export interface ShapeIssue {
  readonly path: readonly string[];
  /** True if the last name of the path is wrong rather than its value. */
  readonly inName: boolean;
  readonly detail: string;
}

const SCOPE = /^[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)*$/;
const isScope = (name: string): boolean =>
  SCOPE.test(name) || acrValuesIn([name]).some((value) => ACR_VALUE.test(value));
export const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;
const ROUTE = /^(?:GET|POST|PATCH|DELETE) (?:\/(?::[a-z][a-z0-9_]*|[a-z0-9_][a-z0-9._-]*))+$/;
const FIELD = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$/;

// A valibot record silently skips these names, so they are not allowed.
const RESERVED: readonly string[] = ["__proto__", "constructor", "prototype"];

const scopeList = v.pipe(
  v.array(v.string()),
  v.minLength(1, 'The list is empty; write "public" if no token is needed'),
  v.check((scopes) => new Set(scopes).size === scopes.length, "The list has a duplicate scope"),
);

const rule = v.union(
  [
    v.literal("public"),
    scopeList,
    v.strictObject({
      anyOf: v.pipe(
        v.array(scopeList),
        v.minLength(1, "anyOf is empty"),
        v.maxLength(MAX_ALTERNATIVES, `anyOf has more than ${MAX_ALTERNATIVES} alternatives`),
      ),
    }),
  ],
  'Expected "public", a list of scopes, or {"anyOf": [lists of scopes]}',
);

const note = v.pipe(
  v.strictObject({
    owner: v.optional(v.pipe(v.string(), v.regex(/\S/, "The owner is empty"))),
    because: v.optional(v.pipe(v.string(), v.regex(/\S/, "The reason is empty"))),
  }, describeMembers),
  v.check(
    ({ owner, because }) => owner !== undefined || because !== undefined,
    'Expected "owner", "because" or both',
  ),
);

/** Who answers for a rule or a scope, and why it is as it is. The server ignores it. */
export type Note = v.InferOutput<typeof note>;

type Name = v.GenericSchema<string, string>;

const ownScope: Name = v.pipe(
  v.string(),
  v.check(isScope, "A scope is lower-case words joined by dots, such as pages.read"),
);
const ownRoute: Name = v.pipe(v.string(), v.regex(ROUTE, describeRoute));
const serviceScope: Name = v.pipe(
  v.string(),
  v.check(isServiceScope, "A scope has no spaces, commas, quotes, * or | (RFC 6749 section 3.3)"),
);
const serviceRoute: Name = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? serviceRouteIssue(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  }),
);

const tables = (scope: Name, route: Name) => ({
  $schema: v.optional(v.string()),
  scopes: v.record(scope, v.pipe(v.string(), v.minLength(1, "The description is empty"))),
  routes: v.record(route, rule),
  fields: v.record(
    v.pipe(v.string(), v.regex(FIELD, "A field is a dotted name, such as user.person.email")),
    rule,
  ),
  aliases: v.optional(
    v.record(
      v.pipe(v.string(), v.regex(ROUTE, describeRoute)),
      v.union(
        [v.string(), v.pipe(v.array(v.string()), v.minLength(2))],
        "Expected the name of a route, or a list of several",
      ),
    ),
    {},
  ),
  safe: v.optional(v.array(v.string()), []),
  notes: v.optional(v.record(v.string(), note), {}),
  invariants: v.optional(v.array(invariant), []),
});

const policySchema = v.strictObject(tables(ownScope, ownRoute), describeMembers);

/** The schema of a policy that the gateway decides by. */
const servicePolicySchema = v.strictObject({
  service: v.pipe(
    v.string(),
    v.regex(SERVICE, "A service is named by letters, digits, dots, - and _"),
  ),
  ...tables(serviceScope, serviceRoute),
}, describeMembers);

/** Says which part of a route is wrong. */
function describeRoute({ input }: v.RegexIssue<string>): string {
  const [method = "", path] = input.split(" ");
  const isMethod = METHODS.some((one) => one === method);
  if (path?.startsWith("/") && !isMethod) {
    return `${method} is not a method of this API, which has ${METHODS.join(", ")}`;
  }
  return 'A route is "METHOD /path", such as "GET /v2/pages/:page_id"';
}

type RawRule = v.InferOutput<typeof rule>;

/**
 * Parses the text of a policy file.
 *
 * Throws `PolicyError` with all issues: invalid JSON, duplicate names, values that do not match the
 * schema, undeclared and unused scopes.
 */
export function parsePolicy(text: string): Policy {
  return parsePolicyFile(text).policy;
}

/** Parses all members of a policy file; throws like {@linkcode parsePolicy}. */
export function parsePolicyFile(text: string): PolicyFile {
  const value = parseJson(text);
  const { file, shapeIssues } = readShape(value);
  const issues = [
    ...findDuplicateKeys(text).map((path) => createIssue(path, "The name is a duplicate")),
    ...shapeIssues.map(({ path, detail }) => createIssue(path, detail)),
    ...findScopeIssues(value),
    ...findAliasIssues(value),
  ];
  if (file === undefined || issues.length > 0) throw new PolicyError(issues);
  return file;
}

/**
 * Checks parsed JSON against the schema. Returns a file if its shape is valid, even if scopes are
 * undeclared or unused.
 */
export function readShape(
  value: unknown,
): { readonly file: PolicyFile | undefined; readonly shapeIssues: readonly ShapeIssue[] } {
  const isService = isObject(value) && "service" in value;
  const parsed = v.safeParse(isService ? servicePolicySchema : policySchema, value);
  const shapeIssues = [
    ...(parsed.issues ?? []).map(toShapeIssue),
    ...findReservedNames(value),
    ...findInvisibleTexts(value),
  ];
  if (!parsed.success) return { file: undefined, shapeIssues };
  const { scopes, routes, fields, aliases, safe, notes, invariants } = parsed.output;
  const targets = new Map(Object.entries(aliases).map(([name, target]) => [name, [target].flat()]));
  const rules = toRules(routes);
  const aliasRules = toAliasRules(targets, rules);
  const tooLong = [...aliasRules].filter(([, { alternatives }]) => hasTooMany(alternatives));
  if (tooLong.length > 0) {
    return { file: undefined, shapeIssues: [...shapeIssues, ...tooLong.map(toAliasIssue)] };
  }
  const policy = {
    scopes: new Map(Object.entries(scopes)),
    routes: new Map([...rules, ...aliasRules]),
    fields: toRules(fields),
    aliases: targets,
  };
  return {
    file: {
      ...(isService && { service: String(value.service) }),
      policy,
      safe: withSafeAliases(new Set(safe), targets),
      notes: new Map(Object.entries(notes)),
      invariants,
    },
    shapeIssues,
  };
}

function parseJson(text: string): unknown {
  const value = parseAnyJson(text);
  const depthIssue = findDepthIssue(text);
  if (depthIssue !== undefined) throw new PolicyError([{ place: "", detail: depthIssue }]);
  return value;
}

function parseAnyJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PolicyError([{ place: "", detail: `The policy is not JSON: ${reason}` }]);
  }
}

function toRules(table: Readonly<Record<string, RawRule>>): Map<string, Rule> {
  return new Map(Object.entries(table).map(([name, raw]) => [name, toRule(raw)]));
}

function toRule(raw: RawRule): Rule {
  if (raw === "public") return { public: true, alternatives: [] };
  return { public: false, alternatives: "anyOf" in raw ? raw.anyOf : [raw] };
}

function toAliasIssue([name]: [string, Rule]): ShapeIssue {
  const detail = `The routes together have more than ${MAX_ALTERNATIVES} alternatives`;
  return { path: ["aliases", name], inName: false, detail };
}

/** Returns whether a route has a rule of its own rather than that of another route. */
export function hasOwnRule({ aliases }: Policy, route: string): boolean {
  return aliases?.has(route) !== true;
}

/** The path of names to a route in the policy file. */
export function placeOf(policy: Policy, route: string): readonly [string, string] {
  return [hasOwnRule(policy, route) ? "routes" : "aliases", route];
}

/** Converts an issue of valibot. */
export function toShapeIssue(issue: v.BaseIssue<unknown>): ShapeIssue {
  const path = (issue.path ?? []).map((item) => String(item.key));
  return { path, inName: issue.path?.at(-1)?.origin === "key", detail: issue.message };
}

function findReservedNames(value: unknown): ShapeIssue[] {
  return ["scopes", "routes", "fields", "aliases", "notes"].flatMap((table) =>
    entriesOf(value, table)
      .filter(([name]) => RESERVED.includes(name))
      .map(([name]) => ({ path: [table, name], inName: true, detail: "The name is reserved" }))
  );
}

/** Accepts any shape, so that one issue does not hide the others. */
function findScopeIssues(value: unknown): PolicyIssue[] {
  const declared = new Set(entriesOf(value, "scopes").map(([name]) => name));
  const uses = ["routes", "fields"].flatMap((table) =>
    entriesOf(value, table).flatMap(([name, raw]) =>
      [...new Set(scopesIn(raw))].map((scope) => ({ path: [table, name], scope }))
    )
  );
  const used = new Set(uses.map(({ scope }) => scope));
  const undeclared = uses.filter(({ scope }) => !declared.has(scope));
  return [
    ...undeclared.map(({ path, scope }) =>
      createIssue(path, `Scope ${JSON.stringify(scope)} is not declared under "scopes"`)
    ),
    ...[...declared].filter((scope) => !used.has(scope)).map((scope) =>
      createIssue(["scopes", scope], "No route or field uses the scope")
    ),
  ];
}

/** A route has either a rule or an alias. */
function findAliasIssues(value: unknown): PolicyIssue[] {
  const routes = new Set(entriesOf(value, "routes").map(([name]) => name));
  return entriesOf(value, "aliases").filter(([name]) => routes.has(name)).map(([name]) =>
    createIssue(["aliases", name], "The route has a rule of its own")
  );
}

function entriesOf(value: unknown, table: string): [string, unknown][] {
  if (!isObject(value)) return [];
  const entries = new Map(Object.entries(value)).get(table);
  return isObject(entries) ? Object.entries(entries) : [];
}

/** Returns the strings of a rule. A rule that is itself a string is "public" or invalid. */
function scopesIn(rule: unknown): string[] {
  return isObject(rule) ? Object.values(rule).flatMap(stringsIn) : [];
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return isObject(value) ? Object.values(value).flatMap(stringsIn) : [];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
