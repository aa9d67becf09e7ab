/**
 * Turns what a request carries into what its endpoint's schemas say, or names every fault of it.
 *
 * @module
 */
import * as v from "valibot";
import { MAX_ISSUES, validationError, type ValidationIssue } from "../shared/errors.ts";
import { type InputRoot, issueSentence, pointerTo } from "../shared/validation_issue.ts";
import type { AnySchema } from "./endpoint.ts";
import { LIMITS } from "./request.ts";

const NOTHING = v.strictObject({});

/** The path's parameters; `validation_error` with all faults. */
export function readParams(schema: AnySchema | undefined, params: unknown): unknown {
  return schema === undefined ? undefined : check(schema, params, { root: "path" });
}

/**
 * The query's parameters: a name that the schema holds as an array may be repeated, one that it
 * holds as a number is read as one; any other repetition or name is a fault.
 */
export function readQuery(schema: AnySchema | undefined, query: string): unknown {
  if (schema === undefined && query === "") return undefined;
  const members = schema ?? NOTHING;
  return check(members, query === "" ? {} : queryObject(members, query), { root: "query" });
}

/**
 * The body, which was `size` bytes; an object is expected whatever the schema. Of a large body the
 * first fault alone is told, because finding them all takes seconds where there are many.
 */
export function readInput(
  schema: AnySchema,
  body: unknown,
  { size }: { readonly size: number },
): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw validationError([issueAt("body", "", "an object", body)]);
  }
  return check(schema, body, { root: "body", abortEarly: size > LIMITS.explainedBytes });
}

interface Checking {
  readonly root: InputRoot;
  /** Whether the first fault is enough. */
  readonly abortEarly?: boolean;
}

function check(
  schema: AnySchema,
  value: unknown,
  { root, abortEarly = false }: Checking,
): unknown {
  const issues: ValidationIssue[] = [];
  // A strict object reports its first unknown name only, so each one found is taken away and the
  // rest looked at again. INVARIANT: the value was made for this request and is nobody else's.
  for (let isWhole = false; !isWhole;) {
    const result = v.safeParse(schema, value, { abortEarly });
    if (result.success) {
      issues.push(...listIssues({ root, read: result.output }, value, []));
      if (issues.length === 0) return result.output;
      break;
    }
    const schemaIssues = result.issues.flatMap(leaves);
    const unknown = schemaIssues.filter((issue) => issue.expected === "never" && removeName(issue));
    const told = (unknown.length > 0 ? unknown : schemaIssues).slice(0, MAX_ISSUES - issues.length);
    issues.push(...told.map((issue) => toValidationIssue(issue, root)));
    isWhole = abortEarly || unknown.length === 0 || issues.length === MAX_ISSUES;
  }
  throw validationError(issues);
}

interface Reading {
  readonly root: InputRoot;
  /** What the schema made of the value. */
  readonly read: unknown;
}

/** Lists where an object belongs: to valibot an empty one is an object without members. */
function listIssues(
  { root, read }: Reading,
  value: unknown,
  path: readonly string[],
): ValidationIssue[] {
  if (typeof value !== "object" || value === null || typeof read !== "object") return [];
  if (Array.isArray(value) && !Array.isArray(read)) {
    return [issueAt(root, path.reduce(pointerTo, ""), "an object", value)];
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    // A leaf is no list, and most members are leaves.
    typeof inner === "object"
      ? listIssues({ root, read: own(read, key) }, inner, [...path, key])
      : []
  );
}

function own(holder: object | null, key: string): unknown {
  return holder !== null && Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
}

type SchemaIssue = v.BaseIssue<unknown>;

/** The issues that say where: of a union those of the member that came furthest. */
function leaves(issue: SchemaIssue): SchemaIssue[] {
  if (issue.issues === undefined || issue.issues.length === 0) return [issue];
  return issue.issues.flatMap((inner) =>
    leaves({ ...inner, path: joinPaths(issue.path, inner.path) })
  );
}

function joinPaths(outer: SchemaIssue["path"], inner: SchemaIssue["path"]): SchemaIssue["path"] {
  if (outer === undefined || inner === undefined) return outer ?? inner;
  return [...outer, ...inner] as unknown as SchemaIssue["path"];
}

function removeName(issue: SchemaIssue): boolean {
  const item = issue.path?.at(-1);
  if (item?.type !== "object") return false;
  return Reflect.deleteProperty(item.input, item.key);
}

function toValidationIssue(issue: SchemaIssue, root: InputRoot): ValidationIssue {
  return issueAt(root, pointerOf(issue), expectation(issue), valueOf(issue));
}

function issueAt(
  root: InputRoot,
  pointer: string,
  expected: string,
  received: unknown,
): ValidationIssue {
  return { pointer, detail: issueSentence({ root, pointer, expected, received }) };
}

function pointerOf(issue: SchemaIssue): string {
  return (issue.path ?? []).reduce((pointer, { key }) => pointerTo(pointer, String(key)), "");
}

function valueOf(issue: SchemaIssue): unknown {
  // Of a missing or unknown name valibot reports the name; the value is what a client looks for.
  const item = issue.path?.at(-1);
  return item !== undefined && issue.kind === "schema" ? item.value : issue.input;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "a boolean",
  Array: "an array",
  Object: "an object",
  never: "not present",
};

const ACTION_WORDS: Readonly<Record<string, (requirement: unknown) => string>> = {
  max_length: (limit) => `of length ≤ \`${limit}\``,
  min_length: (limit) => `of length ≥ \`${limit}\``,
  max_value: (limit) => `≤ \`${limit}\``,
  min_value: (limit) => `≥ \`${limit}\``,
  integer: () => "an integer",
};

function expectation(issue: SchemaIssue): string {
  if (issue.kind === "schema" && issue.received === "undefined") return "defined";
  const requirement = "requirement" in issue ? issue.requirement : undefined;
  const words = ACTION_WORDS[issue.type]?.(requirement);
  if (words !== undefined) return words;
  if (issue.type === "regex" || issue.type === "custom") return issue.message;
  const expected = issue.expected ?? "of another form";
  return TYPE_WORDS[expected] ?? expected.replaceAll(" | ", ", or ");
}

function queryObject(schema: AnySchema, query: string): Record<string, unknown> {
  const kinds = entryKinds(schema);
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query)) {
    const earlier = values[name];
    if (kinds.get(name) === "array") values[name] = [...asArray(earlier), value];
    else if (earlier !== undefined) throw repeated(name);
    else values[name] = kinds.get(name) === "number" ? asNumber(value) : value;
  }
  return values;
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function asNumber(value: string): unknown {
  return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}

function repeated(name: string): Error {
  return validationError([{
    pointer: pointerTo("", name),
    detail: `query failed validation: query.${name} should be given once.`,
  }]);
}

function entryKinds(schema: AnySchema): Map<string, string> {
  const entries = "entries" in schema && typeof schema.entries === "object" ? schema.entries : {};
  return new Map(
    Object.entries(entries ?? {}).map(([name, entry]) => [name, kindOf(entry)]),
  );
}

function kindOf(schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return "";
  if ("wrapped" in schema) return kindOf(schema.wrapped);
  return "type" in schema ? String(schema.type) : "";
}
