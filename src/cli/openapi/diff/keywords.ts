/**
 * What a keyword of a schema says of single values, and what a change of it does to them.
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

/** Keywords that only ever forbid, so that one more allows less. */
const FORBIDDING = new Set([...BOUNDS.keys(), "pattern", "format", "uniqueItems", "integer"]);

/** Says as much as its absence. */
const IDLE: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["minLength", 0],
  ["minItems", 0],
  ["minProperties", 0],
  ["uniqueItems", false],
]);

/** What a keyword says; undefined where that is nothing. */
export function saidBy(keywords: JsonObject, keyword: string): unknown {
  const value = keywords[keyword];
  return value === IDLE.get(keyword) ? undefined : value;
}

/** What a change of a keyword, by {@linkcode saidBy}, does to the values that are allowed. */
export function effectOf(keyword: string, before: unknown, after: unknown): Effect {
  if (!FORBIDDING.has(keyword)) return "other";
  if (before === undefined) return "narrower";
  if (after === undefined) return "wider";
  const bound = BOUNDS.get(keyword);
  if (bound === undefined) return "other";
  return bound.isMet(Number(after), Number(before)) ? "narrower" : "wider";
}

/** Whether a listed value meets keywords; a format forbids none, as JSON Schema has it. */
export function admits(keywords: JsonObject, value: unknown): boolean {
  return Object.entries(keywords).every(([keyword, said]) => {
    const bound = BOUNDS.get(keyword);
    const measured = bound?.measure(value);
    if (bound !== undefined) return measured === undefined || bound.isMet(measured, Number(said));
    if (keyword === "pattern" && typeof value === "string") {
      // A document may be anybody's, so its patterns run in time that its length bounds.
      return RE2JS.compile(String(said)).matcher(value).find();
    }
    return keyword !== "integer" || Number.isInteger(value);
  });
}
