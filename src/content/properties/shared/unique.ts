/**
 * Lists without repetition.
 *
 * @module
 */

/** Each item once, in order; undefined if there is none. */
export function unique<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : [...new Set(items)];
}
