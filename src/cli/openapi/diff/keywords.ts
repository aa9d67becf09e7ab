/**
 * Keywords that constrain single values, and the effect of changing them.
 *
 * @module
 */
import { RE2JS } from "re2js";
import type { JsonObject } from "../json.ts";
import type { Effect } from "./finding.ts";

type Measure = (value: unknown) => number | undefined;

const itself: Measure = (value) => typeof value === "number" ? value : undefined;
const length: Measure = (value) => typeof value === "string" ? [...value].length : undefined;
const items: Measure = (value) => Array.isArray(value) ? value.length : undefined;
const members: Measure = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.keys(value).length
    : undefined;

interface Bound {
  readonly measure: Measure;
  readonly isMet: (measured: number, bound: number) => boolean;
}

const atLeast = (measured: number, bound: number): boolean => measured >= bound;
const atMost = (measured: number, bound: number): boolean => measured <= bound;

const BOUNDS: ReadonlyMap<string, Bound> = new Map<string, Bound>([
  ["minimum", { measure: itself, isMet: atLeast }],
  ["maximum", { measure: itself, isMet: atMost }],
  ["exclusiveMinimum", { measure: itself, isMet: (measured, bound) => measured > bound }],
  ["exclusiveMaximum", { measure: itself, isMet: (measured, bound) => measured < bound }],
  ["minLength", { measure: length, isMet: atLeast }],
  ["maxLength", { measure: length, isMet: atMost }],
  ["minItems", { measure: items, isMet: atLeast }],
  ["maxItems", { measure: items, isMet: atMost }],
  ["minProperties", { measure: members, isMet: atLeast }],
  ["maxProperties", { measure: members, isMet: atMost }],
]);

/** Keywords that only restrict: adding one always allows fewer values. */
const FORBIDDING = new Set([...BOUNDS.keys(), "pattern", "format", "uniqueItems", "integer"]);

/** Values of keywords that have no effect. */
const IDLE: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["minLength", 0],
  ["minItems", 0],
  ["minProperties", 0],
  ["uniqueItems", false],
]);

/** Returns the value of a keyword, or undefined if it has no effect. */
export function valueOf(keywords: JsonObject, keyword: string): unknown {
  const value = keywords[keyword];
  return value === IDLE.get(keyword) ? undefined : value;
}

/** Returns the effect of changing a keyword, whose values are those of {@linkcode valueOf}. */
export function effectOf(keyword: string, before: unknown, after: unknown): Effect {
  if (!FORBIDDING.has(keyword)) return "other";
  if (before === undefined) return "narrower";
  if (after === undefined) return "wider";
  const bound = BOUNDS.get(keyword);
  if (bound === undefined) return "other";
  return bound.isMet(Number(after), Number(before)) ? "narrower" : "wider";
}

/** True if a value meets all keywords. As in JSON Schema, `format` is only an annotation. */
export function admits(keywords: JsonObject, value: unknown): boolean {
  return Object.entries(keywords).every(([keyword, said]) => {
    const bound = BOUNDS.get(keyword);
    const measured = bound?.measure(value);
    if (bound !== undefined) return measured === undefined || bound.isMet(measured, Number(said));
    if (keyword === "pattern" && typeof value === "string") {
      // Documents are untrusted, so patterns run in linear time.
      return RE2JS.compile(String(said)).matcher(value).find();
    }
    return keyword !== "integer" || Number.isInteger(value);
  });
}
