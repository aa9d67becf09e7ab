/**
 * Typed re-exports of the standard library, whose npm packages ship no types.
 *
 * @module
 */
import { BinaryHeap as StdBinaryHeap } from "@std/data-structures/binary-heap";
import { ifMatch as stdIfMatch, ifNoneMatch as stdIfNoneMatch } from "@std/http/etag";
import { accepts } from "@std/http/negotiation";
import { generate } from "@std/uuid/v7";
import rangeParser from "range-parser";

/** Returns whether an `If-Match` value matches a strong entity tag; weak tags never match. */
export const ifMatch: (value: string | null, etag: string | undefined) => boolean = stdIfMatch;

/** Returns whether an `If-None-Match` value matches none; false means "not modified". */
export const ifNoneMatch: (value: string | null, etag: string | undefined) => boolean =
  stdIfNoneMatch;

/** Generates a UUID version 7 (RFC 9562). It increases with time, so that inserts are adjacent. */
export const uuidv7: () => string = generate;

/** Returns the first of these media types that an `Accept` value accepts; undefined if none. */
export function acceptsMediaTypes(accept: string, ...types: string[]): string | undefined {
  return accepts({ headers: new Headers({ accept }) }, ...types);
}

/**
 * Parses a `Range` value into byte ranges; undefined if it is malformed or of another unit.
 */
export function parseRange(
  size: number,
  value: string,
): readonly { readonly start: number; readonly end: number }[] | "unsatisfiable" | undefined {
  const ranges: Ranges | -1 | -2 = rangeParser(size, value);
  if (ranges === -1) return "unsatisfiable";
  return ranges === -2 || ranges.type !== "bytes" ? undefined : ranges;
}

type Ranges = { readonly start: number; readonly end: number }[] & { readonly type: string };

/** Values of which the first in their order is known at any time. */
export interface Heap<T> {
  readonly length: number;
  /** Returns the first value; undefined if there is none. */
  peek(): T | undefined;
  /** Removes the first value and returns it; undefined if there is none. */
  pop(): T | undefined;
  push(value: T): void;
}

/** A {@linkcode Heap} whose changes cost the logarithm of its length. */
export const BinaryHeap: new <T>(compare: (a: T, b: T) => number) => Heap<T> = StdBinaryHeap;
