/**
 * Letting others be served in the middle of long work.
 *
 * @module
 */

/** Settles once everything else that waits has had its turn. */
export function letOthers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
