/**
 * The limit of a cache that has few entries most of the time.
 *
 * @module
 */

/**
 * Returns the options of an LRU cache of that many entries, which takes memory for those that it has.
 * With `max` it would take memory for all at once: 100,000 are 5 MB and a tenth of a start.
 */
export function upTo(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
