/**
 * Words validation issues, the same everywhere.
 *
 * @module
 */
import type { ValidationIssue } from "./errors.ts";

/** The part of the request that the input came from. */
export type InputRoot = "body" | "query" | "path";

export interface Mismatch {
  /** Completes "should be …": `defined`, `a string`, `"a" or "b"`. */
  readonly expected: string;
  /** The actual value; undefined if it is missing. */
  readonly received: unknown;
}

export interface UnexpectedValue extends Mismatch {
  readonly root: InputRoot;
  /** RFC 6901 pointer inside the root. */
  readonly pointer: string;
}

const RECEIVED_LENGTH = 55;

/** Returns one sentence for a value that is not as expected; long values are truncated. */
export function issueSentence({ root, pointer, expected, received }: UnexpectedValue): string {
  const place = `${root}${dotted(pointer)}`;
  return `${root} failed validation: ${place} should be ${expected}, instead was \`${
    preview(received)
  }\`.`;
}

/** Returns a validation issue of the request body at this pointer. */
export function bodyIssue(pointer: string, { expected, received }: Mismatch): ValidationIssue {
  return { pointer, detail: issueSentence({ root: "body", pointer, expected, received }) };
}

/** Appends a step to the pointer. */
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

function preview(value: unknown): string {
  const json = JSON.stringify(value) ?? "undefined";
  if (json.length <= RECEIVED_LENGTH) return json;
  // A lone surrogate at the cut could not be sent as UTF-8.
  return `${json.slice(0, RECEIVED_LENGTH).replace(/[\uD800-\uDBFF]$/, "")}...`;
}
