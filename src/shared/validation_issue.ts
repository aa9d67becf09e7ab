/**
 * How a fault of the input is worded, the same everywhere.
 *
 * @module
 */
import type { ValidationIssue } from "./errors.ts";

/** Where the input came from. */
export type InputRoot = "body" | "query" | "path";

export interface Expectation {
  /** Completes "should be …": `defined`, `a string`, `"a" or "b"`. */
  readonly expected: string;
  /** What stood there; undefined where nothing did. */
  readonly received: unknown;
}

export interface UnexpectedValue extends Expectation {
  readonly root: InputRoot;
  /** RFC 6901 pointer inside the root. */
  readonly pointer: string;
}

const RECEIVED_LENGTH = 55;

/** One sentence for a value that is not what was expected; long values are cut. */
export function issueSentence({ root, pointer, expected, received }: UnexpectedValue): string {
  const place = `${root}${dotted(pointer)}`;
  return `${root} failed validation: ${place} should be ${expected}, instead was \`${
    shown(received)
  }\`.`;
}

/** A fault of the request's body at this pointer. */
export function bodyIssue(pointer: string, { expected, received }: Expectation): ValidationIssue {
  return { pointer, detail: issueSentence({ root: "body", pointer, expected, received }) };
}

/** The pointer one step deeper. */
export function pointerTo(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function dotted(pointer: string): string {
  return pointer.split("/").slice(1).map(dottedStep).join("");
}

function dottedStep(step: string): string {
  const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
  return /^\d+$/.test(key) ? `[${key}]` : `.${key}`;
}

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? "undefined";
  if (json.length <= RECEIVED_LENGTH) return json;
  // Half a surrogate pair at the cut could not be sent as UTF-8.
  return `${json.slice(0, RECEIVED_LENGTH).replace(/[\uD800-\uDBFF]$/, "")}...`;
}
