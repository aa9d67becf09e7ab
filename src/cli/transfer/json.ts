/**
 * JSON values as the API sends and takes them.
 *
 * @module
 */
import { Buffer } from "node:buffer";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json | undefined;
}

/** Returns the bytes that a value takes as JSON in a request. */
export function jsonBytes(value: Json | readonly (Json | undefined)[]): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Returns whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the object at this member, or an empty one. */
export function objectAt(value: Json | undefined, member: string): JsonObject {
  const inner = isObject(value) ? value[member] : undefined;
  return isObject(inner) ? inner : {};
}

/** Returns the objects in the array at this member. */
export function objectsAt(value: Json | undefined, member: string): readonly JsonObject[] {
  const inner = isObject(value) ? value[member] : undefined;
  return Array.isArray(inner) ? inner.filter(isObject) : [];
}

/** Returns the text at this member, or an empty one. */
export function textAt(value: Json | undefined, member: string): string {
  const inner = isObject(value) ? value[member] : undefined;
  return typeof inner === "string" ? inner : "";
}
