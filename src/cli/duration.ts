/**
 * Durations such as `90d`.
 *
 * @module
 */

const SECONDS: ReadonlyMap<string, number> = new Map([
  ["s", 1],
  ["m", 60],
  ["h", 3600],
  ["d", 86_400],
]);

/** Returns the seconds of a number and `s`, `m`, `h` or `d`; undefined if it is none. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined) return undefined;
  return Number(count) * (SECONDS.get(unit) ?? 0);
}
