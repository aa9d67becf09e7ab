/**
 * The policy's field rules, applied where an answer is written: no handler can forget them.
 *
 * @module
 */
import { createHash } from "node:crypto";

/** A field as the policy names it: the `object` it belongs to, then the way to it. */
export interface FieldPath {
  readonly object: string;
  readonly keys: readonly string[];
}

/** Reads `user.person.email`. */
export function parseFieldPath(name: string): FieldPath {
  const [object = "", ...keys] = name.split(".");
  return { object, keys };
}

/** A copy of an answer without the fields that its reader may not see, however deep they stand. */
export function redact(value: unknown, hidden: readonly FieldPath[]): unknown {
  if (Array.isArray(value)) return value.map((item) => redact(item, hidden));
  if (!isObject(value)) return value;
  // fromEntries defines what it is given, so a member named __proto__ stays a member.
  const members = Object.entries(value).map(([key, member]) => [key, redact(member, hidden)]);
  const copy: Record<string, unknown> = Object.fromEntries(members);
  for (const field of hidden) {
    if (copy.object === field.object) remove(copy, field.keys);
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
 * The entity tag of an answer without these fields, by the one that it has with them: what is sent
 * differs, and one strong tag names one sequence of bytes (RFC 9110 section 8.8.3).
 */
export function tagRedacted(etag: string, hidden: readonly FieldPath[] | undefined): string {
  return hidden?.length ? `${etag.slice(0, -1)}.${markOf(hidden)}"` : etag;
}

/** Kept, since a caller's list is the same one as long as its token is known. */
const marks = new WeakMap<readonly FieldPath[], string>();

function markOf(hidden: readonly FieldPath[]): string {
  const known = marks.get(hidden);
  if (known !== undefined) return known;
  const digest = createHash("sha256").update(JSON.stringify(hidden)).digest("base64url");
  const mark = digest.slice(0, 8);
  marks.set(hidden, mark);
  return mark;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether answers of this schema can hold one of the fields: ready JSON must then not be sent. */
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
