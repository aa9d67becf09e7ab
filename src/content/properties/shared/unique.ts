/**
 * Lists without repetition.
 *
 * @module
 */

/** Each item once, in order; undefined where there is none. */
export function unique<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : [...new Set(items)];
}
