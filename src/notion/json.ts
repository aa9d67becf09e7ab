/**
 * Reading and changing JSON whose form is known only in part.
 *
 * @module
 */
import type { Json } from "./step.ts";

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects among the items of a list; empty if it is no list, or has more than `most` items. */
export function objectsIn(value: unknown, most = Infinity): Json[] {
  return Array.isArray(value) && value.length <= most ? value.filter(isJson) : [];
}

/** The values of an object that are objects; empty if it is none. */
export function membersOf(value: unknown): Json[] {
  return isJson(value) ? Object.values(value).filter(isJson) : [];
}

/** Gives a member another name, in place; it stays where it is among the others. */
export function rename(object: Json, from: string, to: string): void {
  if (!Object.hasOwn(object, from) || Object.hasOwn(object, to)) return;
  const members = Object.entries(object);
  for (const [key] of members) delete object[key];
  // Defined rather than assigned, so that a member named `__proto__` stays a member.
  for (const [key, value] of members) {
    const name = key === from ? to : key;
    Object.defineProperty(object, name, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
}

/** The objects that a reply consists of: those of a list, or itself. */
export function repliedObjects(body: Json): Json[] {
  return body["object"] === "list" ? objectsIn(body["results"]) : [body];
}
