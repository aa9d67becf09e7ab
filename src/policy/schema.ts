/**
 * The policy as a value: `scopes.json`, read and found to be without fault.
 *
 * @module
 */
import * as v from "valibot";
import { createIssue, PolicyError, type PolicyIssue } from "./issue.ts";
import { describeMembers, type Invariant, invariant } from "./analysis/invariant_schema.ts";
import { findRepeatedKeys } from "./json_keys.ts";

/** What a token must hold. */
export interface Rule {
  /** Whether everyone fulfils it, even without a token. */
  readonly public: boolean;
  /** Lists of scopes, of which one must be held whole; empty when public. */
  readonly alternatives: readonly (readonly string[])[];
}

export interface Policy {
  /** Every scope, with what it lets its holder do. */
  readonly scopes: ReadonlyMap<string, string>;
  /** The rule of each route, by `METHOD path`. */
  readonly routes: ReadonlyMap<string, Rule>;
  /** The rule of each field that not everyone may see, by its dotted name. */
  readonly fields: ReadonlyMap<string, Rule>;
}

/** A policy beside what only its reviewers' tools read: the running server ignores it. */
export interface PolicyFile {
  readonly policy: Policy;
  /** Routes that only read although their method is not GET (RFC 9110 section 9.2.1). */
  readonly safe: ReadonlySet<string>;
  readonly invariants: readonly Invariant[];
}

/** What is wrong at a path of names inside a file. */
export interface ShapeIssue {
  readonly path: readonly string[];
  /** Whether it is the last name that is wrong, and not the value. */
  readonly inName: boolean;
  readonly detail: string;
}

const SCOPE = /^[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)*$/;
const ROUTE = /^(?:GET|POST|PATCH|DELETE) (?:\/(?::[a-z][a-z0-9_]*|[a-z0-9_][a-z0-9._-]*))+$/;
const FIELD = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$/;

// A valibot record passes these names over in silence, so no entry may bear one.
const RESERVED: readonly string[] = ["__proto__", "constructor", "prototype"];

const scopeList = v.pipe(
  v.array(v.string()),
  v.minLength(1, 'A list without scopes; write "public" where no token is needed'),
  v.check((scopes) => new Set(scopes).size === scopes.length, "A scope stands twice in one list"),
);

const rule = v.union(
  [
    v.literal("public"),
    scopeList,
    v.strictObject({
      anyOf: v.pipe(v.array(scopeList), v.minLength(1, "anyOf has no alternative")),
    }),
  ],
  'Expected "public", a list of scopes, or {"anyOf": [lists of scopes]}',
);

const policySchema = v.strictObject({
  $schema: v.optional(v.string()),
  scopes: v.record(
    v.pipe(v.string(), v.regex(SCOPE, "A scope is lower-case words joined by dots")),
    v.pipe(v.string(), v.minLength(1, "The description is empty")),
  ),
  routes: v.record(
    v.pipe(
      v.string(),
      v.regex(ROUTE, 'A route is "METHOD /path", such as "GET /v2/pages/:page_id"'),
    ),
    rule,
  ),
  fields: v.record(
    v.pipe(v.string(), v.regex(FIELD, "A field is a dotted name, such as user.person.email")),
    rule,
  ),
  safe: v.optional(v.array(v.string()), []),
  invariants: v.optional(v.array(invariant), []),
}, describeMembers);

type RawRule = v.InferOutput<typeof rule>;

/**
 * Reads the text of a policy file.
 *
 * Throws `PolicyError` with every fault: no JSON, a name that stands twice, another shape than the
 * schema's, a scope that is used but not declared, a scope that is declared but opens nothing.
 */
export function parsePolicy(text: string): Policy {
  return parsePolicyFile(text).policy;
}

/** Reads the text of a policy file with all its members; throws as {@linkcode parsePolicy} does. */
export function parsePolicyFile(text: string): PolicyFile {
  const value = parseJson(text);
  const { file, shapeIssues } = readShape(value);
  const issues = [
    ...findRepeatedKeys(text).map((path) => createIssue(path, "The name stands twice here")),
    ...shapeIssues.map(({ path, detail }) => createIssue(path, detail)),
    ...findScopeIssues(value),
  ];
  if (file === undefined || issues.length > 0) throw new PolicyError(issues);
  return file;
}

/**
 * Reads a parsed file, and says where its shape is not the schema's. The file is there as soon as the
 * shape is right, even where scopes are undeclared or unused.
 */
export function readShape(
  value: unknown,
): { readonly file: PolicyFile | undefined; readonly shapeIssues: readonly ShapeIssue[] } {
  const parsed = v.safeParse(policySchema, value);
  const shapeIssues = [...(parsed.issues ?? []).map(toShapeIssue), ...findReservedNames(value)];
  if (!parsed.success) return { file: undefined, shapeIssues };
  const { scopes, routes, fields, safe, invariants } = parsed.output;
  const policy = {
    scopes: new Map(Object.entries(scopes)),
    routes: toRules(routes),
    fields: toRules(fields),
  };
  return { file: { policy, safe: new Set(safe), invariants }, shapeIssues };
}

function parseJson(text: string): unknown {
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

/** What a schema says, with its place. */
export function toShapeIssue(issue: v.BaseIssue<unknown>): ShapeIssue {
  const path = (issue.path ?? []).map((item) => String(item.key));
  return { path, inName: issue.path?.at(-1)?.origin === "key", detail: issue.message };
}

function findReservedNames(value: unknown): ShapeIssue[] {
  return ["scopes", "routes", "fields"].flatMap((table) =>
    entriesOf(value, table)
      .filter(([name]) => RESERVED.includes(name))
      .map(([name]) => ({ path: [table, name], inName: true, detail: "The name is reserved" }))
  );
}

/** Reads what is there, whatever its shape, so that one fault does not hide the others. */
function findScopeIssues(value: unknown): PolicyIssue[] {
  const declared = entriesOf(value, "scopes").map(([name]) => name);
  const uses = ["routes", "fields"].flatMap((table) =>
    entriesOf(value, table).flatMap(([name, raw]) =>
      [...new Set(scopesIn(raw))].map((scope) => ({ path: [table, name], scope }))
    )
  );
  const used = new Set(uses.map(({ scope }) => scope));
  const undeclared = uses.filter(({ scope }) => !declared.includes(scope));
  return [
    ...undeclared.map(({ path, scope }) =>
      createIssue(path, `Scope ${JSON.stringify(scope)} is not declared under "scopes"`)
    ),
    ...declared.filter((scope) => !used.has(scope)).map((scope) =>
      createIssue(["scopes", scope], "The scope is used by no route and no field")
    ),
  ];
}

function entriesOf(value: unknown, table: string): [string, unknown][] {
  if (!isObject(value)) return [];
  const entries = new Map(Object.entries(value)).get(table);
  return isObject(entries) ? Object.entries(entries) : [];
}

/** The strings of a rule; a rule that is itself a string is "public" or a fault, never a scope. */
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
