/**
 * Validates path, query and body against the schemas of the endpoint, and reports every issue.
 *
 * @module
 */
import * as v from "valibot";
import { MAX_ISSUES, validationError, type ValidationIssue } from "../shared/errors.ts";
import type { PartValidator } from "../shared/part_validator.ts";
import { type InputRoot, issueSentence, pointerTo } from "../shared/validation_issue.ts";
import type { AnySchema } from "./endpoint.ts";
import { LIMITS } from "./request.ts";

const NOTHING = v.strictObject({});

/** Validates the path parameters; throws `validation_error` with all issues. */
export function readParams(schema: AnySchema | undefined, params: unknown): unknown {
  return schema === undefined ? undefined : check(schema, params, { root: "path" });
}

/**
 * Validates the query parameters. A parameter with an array schema may be repeated, also as
 * `name[]`, one with a number schema is parsed; any other repetition and any unknown name is an
 * issue.
 */
export function readQuery(
  schema: AnySchema | undefined,
  query: string,
  options: UnknownNames = {},
): unknown {
  if (schema === undefined && query === "") return undefined;
  const members = schema ?? NOTHING;
  const value = query === "" ? {} : queryObject(members, query);
  return check(members, value, { root: "query", ...options });
}

/** The handling of names that a schema does not have. */
export interface UnknownNames {
  /** True if they are left out; by default each is an issue. */
  readonly ignoresUnknown?: boolean;
}

/** Facts about a body that are known before it is validated. */
export interface SentBody {
  /** Bytes. */
  readonly size: number;
  /** Knows which parts of a large body are valid. */
  readonly validator?: PartValidator | undefined;
}

/**
 * Validates the body, which must be an object. For a body of many bytes only the first issue is
 * reported, because finding many takes seconds.
 */
export function readInput(
  schema: AnySchema,
  body: unknown,
  { size, validator, ignoresUnknown = false }: SentBody & UnknownNames,
): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw validationError([issueAt("body", "", "an object", body)]);
  }
  return check(schema, body, {
    root: "body",
    abortEarly: size > LIMITS.explainedBytes,
    ignoresUnknown,
    validator,
  });
}

/** Validates the lines of a body, each of them by the schema. */
export function readLines(
  schema: AnySchema,
  lines: unknown,
  { size, validator }: SentBody,
): unknown {
  const all = v.pipe(v.array(schema), v.minLength(1), v.maxLength(LIMITS.bodyLines));
  return check(all, lines, {
    root: "body",
    abortEarly: size > LIMITS.explainedBytes,
    validator,
  });
}

const AT_ONCE: Pick<PartValidator, "safeParse"> = { safeParse: v.safeParse };

/** A round finds the first unknown name of each object. */
const IGNORING_ROUNDS = 8;

interface CheckOptions extends UnknownNames {
  readonly root: InputRoot;
  /** True if to stop at the first issue. */
  readonly abortEarly?: boolean;
  readonly validator?: Pick<PartValidator, "safeParse"> | undefined;
}

function check(
  schema: AnySchema,
  value: unknown,
  { root, abortEarly = false, ignoresUnknown = false, validator = AT_ONCE }: CheckOptions,
): unknown {
  let ignored = 0;
  const issues: ValidationIssue[] = [];
  // A strict object reports only its first unknown name, so each is removed and the rest validated
  // again. INVARIANT: the value belongs to this request alone.
  for (let isWhole = false; !isWhole;) {
    const result = validator.safeParse(schema, value, { abortEarly });
    if (result.success) {
      const read = result.output;
      if (hasMisplacedList(value, read)) issues.push(...listIssues({ root, read }, value, []));
      if (issues.length === 0) return read;
      break;
    }
    const schemaIssues = result.issues.flatMap(leaves);
    const unknown = schemaIssues.filter(removeUnknown);
    // Each round validates again what has not been validated part by part.
    if (ignoresUnknown && unknown.length > 0 && ignored++ < IGNORING_ROUNDS) continue;
    const shown = (unknown.length > 0 ? unknown : schemaIssues).slice(
      0,
      MAX_ISSUES - issues.length,
    );
    issues.push(...shown.map((issue) => toValidationIssue(issue, root)));
    isWhole = abortEarly || unknown.length === 0 || issues.length === MAX_ISSUES;
  }
  throw validationError(issues);
}

interface ReadValue {
  readonly root: InputRoot;
  /** The output of the schema for the value. */
  readonly read: unknown;
}

/**
 * Returns whether an array stands in place of an object: valibot takes an empty array for an object
 * without members. Builds no paths and no lists, because almost every body is free of this fault.
 */
function hasMisplacedList(value: unknown, read: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (typeof read !== "object" || read === null) return false;
  if (Array.isArray(value)) {
    return !Array.isArray(read) ||
      value.some((inner, index) => hasMisplacedList(inner, read[index]));
  }
  for (const key in value) {
    const inner: unknown = Reflect.get(value, key);
    if (typeof inner === "object" && hasMisplacedList(inner, own(read, key))) return true;
  }
  return false;
}

/** Finds all arrays in place of objects. */
function listIssues(
  { root, read }: ReadValue,
  value: unknown,
  path: readonly string[],
): ValidationIssue[] {
  if (typeof value !== "object" || value === null || typeof read !== "object") return [];
  if (Array.isArray(value) && !Array.isArray(read)) {
    return [issueAt(root, path.reduce(pointerTo, ""), "an object", value)];
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "object"
      ? listIssues({ root, read: own(read, key) }, inner, [...path, key])
      : []
  );
}

function own(holder: object | null, key: string): unknown {
  return holder !== null && Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
}

type SchemaIssue = v.BaseIssue<unknown>;

/** Returns the innermost issues; for a union, those of the option that matched best. */
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

/** Removes the names that a schema does not have, as far as these issues tell; returns whether it did. */
export function removeUnknownNames(issues: readonly SchemaIssue[]): boolean {
  return issues.flatMap(leaves).filter(removeUnknown).length > 0;
}

/** Removes the name that the issue is about; returns false if it is about anything else. */
function removeUnknown(issue: SchemaIssue): boolean {
  const item = issue.path?.at(-1);
  if (issue.expected !== "never" || item?.type !== "object") return false;
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
  // For a missing or unknown name valibot reports the name, but the client needs the value.
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
  for (const [given, value] of new URLSearchParams(query)) {
    const name = listName(given, kinds);
    const earlier = values[name];
    if (kinds.get(name) === "array") values[name] = [...asArray(earlier), value];
    else if (earlier !== undefined) throw repeated(name);
    else values[name] = kinds.get(name) === "number" ? asNumber(value) : value;
  }
  return values;
}

/** Many libraries write the name of a list with brackets. */
function listName(name: string, kinds: ReadonlyMap<string, string>): string {
  const base = /^(.+)\[\d{0,3}\]$/.exec(name)?.[1];
  return base !== undefined && kinds.get(base) === "array" ? base : name;
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
