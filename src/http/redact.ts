/**
 * Applies the field rules of the policy to every response, so that no handler can forget them.
 *
 * @module
 */
import { createHash } from "node:crypto";

/** A field as the policy names it: its object type, and the path to it. */
export interface FieldPath {
  readonly object: string;
  readonly keys: readonly string[];
}

/** Parses `user.person.email`. */
export function parseFieldPath(name: string): FieldPath {
  const [object = "", ...keys] = name.split(".");
  return { object, keys };
}

/** Returns a copy of a response body without the hidden fields, at any depth. */
export function redact(value: unknown, hidden: readonly FieldPath[]): unknown {
  if (Array.isArray(value)) return value.map((item) => redact(item, hidden));
  if (!isObject(value)) return value;
  // `fromEntries` defines properties, so a member named `__proto__` stays a member.
  const members = Object.entries(value).map(([key, member]) => [key, redact(member, hidden)]);
  const copy: Record<string, unknown> = Object.fromEntries(members);
  const type = copy.object;
  for (const field of hidden) {
    if (type === field.object) remove(copy, field.keys);
  }
  return copy;
}

function remove(target: Record<string, unknown>, keys: readonly string[]): void {
  const [key, ...rest] = keys;
  if (key === undefined) return;
  const member = target[key];
  if (rest.length === 0) delete target[key];
  else if (isObject(member)) remove(member, rest);
}

/**
 * Returns the entity tag of a redacted response, derived from that of the full one: the bytes
 * differ, and a strong tag identifies one sequence of bytes (RFC 9110 section 8.8.3).
 */
export function tagRedacted(etag: string, hidden: readonly FieldPath[] | undefined): string {
  return hidden?.length ? `${etag.slice(0, -1)}.${digestOfFields(hidden)}"` : etag;
}

/** Cached, because a caller has the same list as long as its token is cached. */
const digests = new WeakMap<readonly FieldPath[], string>();

/** Returns a short text that is the same for the same fields. */
export function digestOfFields(hidden: readonly FieldPath[]): string {
  const cached = digests.get(hidden);
  if (cached !== undefined) return cached;
  const digest = createHash("sha256").update(JSON.stringify(hidden)).digest("base64url");
  const short = digest.slice(0, 8);
  digests.set(hidden, short);
  return short;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns whether responses of this schema can contain one of the fields, so that they need
 * redaction.
 */
export function mayHold(schema: unknown, fields: readonly FieldPath[]): boolean {
  return fields.length > 0 && reaches(schema, fields, new Set());
}

function reaches(schema: unknown, fields: readonly FieldPath[], seen: Set<unknown>): boolean {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  if ("entries" in schema && isObject(schema.entries)) {
    const entries = schema.entries;
    if (fields.some((field) => isObjectOf(entries, field))) return true;
    return Object.values(entries).some((entry) => reaches(entry, fields, seen));
  }
  return inner(schema).some((part) => reaches(part, fields, seen));
}

function isObjectOf(entries: Record<string, unknown>, field: FieldPath): boolean {
  const tag = entries.object;
  return isObject(tag) && tag.literal === field.object &&
    field.keys[0] !== undefined && field.keys[0] in entries;
}

function inner(schema: object): unknown[] {
  const parts: unknown[] = [];
  for (const key of ["wrapped", "item", "value", "rest"] as const) {
    if (key in schema) parts.push(Reflect.get(schema, key));
  }
  for (const key of ["options", "items", "pipe"] as const) {
    const list: unknown = Reflect.get(schema, key);
    if (Array.isArray(list)) parts.push(...list);
  }
  const getter: unknown = Reflect.get(schema, "getter");
  if (typeof getter === "function") parts.push(getter(undefined));
  return parts;
}
