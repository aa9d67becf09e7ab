/**
 * Times as operators read them, in UTC.
 *
 * @module
 */

/** Returns a time as `2026-01-02 03:04Z`. */
export function describeTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")}Z`;
}
