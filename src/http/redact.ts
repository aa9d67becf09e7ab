/**
 * Applies the field rules of the policy to every response, so that no handler can forget them.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { evenPieces, LongText } from "../shared/long_text.ts";
import { createRest } from "../shared/yield_to_event_loop.ts";

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
  for (const field of hidden) {
    if (copy.object === field.object) remove(copy, field.keys);
  }
  return copy;
}

/**
 * Returns serialized JSON without the hidden fields. Only objects of a guarded type that have more
 * members than their id are parsed.
 *
 * INVARIANT: the service writes JSON without spaces, and `object` is the first member of an object
 * that has it. Where it is not, all of the JSON is parsed. In a string, the quotes would be
 * escaped.
 */
export function redactText(json: string, hidden: readonly FieldPath[]): string {
  return redactWhole(json, hidden) ?? JSON.stringify(redact(JSON.parse(json), hidden));
}

/** Undefined if the objects of a type have another first member. */
function redactWhole(json: string, hidden: readonly FieldPath[]): string | undefined {
  let text: string | undefined = json;
  for (const type of typesIn(hidden)) text = text && redactType(text, type, hidden);
  return text;
}

/** A long text that was redacted. */
export class RedactedText extends LongText {}

/** Like {@linkcode redactText}, with rests between the pieces of a long text. */
export async function redactLongText(
  text: LongText,
  hidden: readonly FieldPath[],
): Promise<RedactedText> {
  if (hidden.length === 0) return new RedactedText(text.pieces);
  const rest = createRest();
  const redacted: string[] = [];
  let open = "";
  for (const piece of [...evenPieces(text.pieces), END]) {
    const json = open + piece;
    const end = piece === END ? json.length : endOfWhole(json, hidden);
    const part = redactWhole(json.slice(0, end), hidden);
    if (part === undefined) return new RedactedText([redactText(String(text), hidden)]);
    redacted.push(part);
    open = json.slice(end);
    await rest();
  }
  return new RedactedText(redacted);
}

/** Behind the last piece. */
const END = "";

/** Returns where a beginning of JSON can be cut, so that each guarded object is on one side. */
function endOfWhole(json: string, hidden: readonly FieldPath[]): number {
  const tags = typesIn(hidden).map(tagOf);
  // Behind it, a tag may be incomplete.
  let whole = json.length - Math.max(...tags.map(({ length }) => length));
  for (const tag of tags) {
    for (let at = json.indexOf(tag); at >= 0 && at < whole;) {
      const end = endOfObject(json, at - 1);
      if (end === undefined || end > whole) whole = at - 1;
      at = json.indexOf(tag, Math.max(end ?? 0, at + 1));
    }
  }
  return Math.max(whole, 0);
}

/** The text with redacted objects of one type; undefined if one has another first member. */
function redactType(
  json: string,
  type: string,
  hidden: readonly FieldPath[],
): string | undefined {
  const tag = tagOf(type);
  // The same users are referred to again and again.
  const known = new Map<string, string>();
  const parts: string[] = [];
  let done = 0;
  for (let at = json.indexOf(tag); at >= 0; at = json.indexOf(tag, Math.max(done, at + 1))) {
    if (isReference(json, at + tag.length)) continue;
    if (json[at - 1] !== "{") return undefined;
    const end = endOfObject(json, at - 1) ?? json.length;
    const object = json.slice(at - 1, end);
    const redacted = known.get(object) ?? JSON.stringify(redact(JSON.parse(object), hidden));
    if (object.length <= LONGEST_KNOWN) known.set(object, redacted);
    parts.push(json.slice(done, at - 1), redacted);
    done = end;
  }
  return parts.length === 0 ? json : parts.join("") + json.slice(done);
}

function tagOf(type: string): string {
  return `"object":${JSON.stringify(type)}`;
}

/** Returns whether an object has only an id besides its tag, which ends here. */
function isReference(json: string, end: number): boolean {
  return json.startsWith(',"id":"', end) && json.startsWith('"}', end + REFERENCE);
}

/** The index behind the object that starts here; undefined if it does not end. */
function endOfObject(json: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const character = json[at];
    if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at + 1;
    else if (character === '"') at = endOfString(json, at);
  }
  return undefined;
}

/** The index of the quote that ends the string that starts here. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end < 0 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let slashes = 0;
  while (json[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}

/** Objects of up to this length are compared with others. */
const LONGEST_KNOWN = 2_000;

/** Length of `,"id":"` and a UUID. */
const REFERENCE = 7 + 36;

/** Cached, because a caller has the same list as long as its token is cached. */
const types = new WeakMap<readonly FieldPath[], readonly string[]>();

function typesIn(hidden: readonly FieldPath[]): readonly string[] {
  const cached = types.get(hidden);
  if (cached !== undefined) return cached;
  const found = [...new Set(hidden.map(({ object }) => object))];
  types.set(hidden, found);
  return found;
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
