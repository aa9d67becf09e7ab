/**
 * Typed door to the standard library's assertions, which carry no types on npm.
 *
 * @module
 */
import * as std from "@std/assert";

export const assert: (value: unknown, message?: string) => asserts value = std.assert;
export const assertEquals: <T>(actual: T, expected: T, message?: string) => void = std.assertEquals;
export const assertNotEquals: <T>(actual: T, expected: T, message?: string) => void =
  std.assertNotEquals;
export const assertMatch: (actual: string, expected: RegExp, message?: string) => void =
  std.assertMatch;
export const assertStringIncludes: (actual: string, expected: string, message?: string) => void =
  std.assertStringIncludes;
// The class is generic in the standard library too: the caller gets the error it named.
export const assertThrows: <E extends Error>(
  fn: () => unknown,
  ErrorClass: new (...args: never[]) => E,
  messageIncludes?: string,
) => E = std.assertThrows;
export const assertRejects: <E extends Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: new (...args: never[]) => E,
  messageIncludes?: string,
) => Promise<E> = std.assertRejects;
