/**
 * Numbers as English counts.
 *
 * @module
 */

const SUFFIXES = ["th", "st", "nd", "rd"];

/** The number with its ending: `1st`, `12th`. */
export function ordinal(number: number): string {
  const isTeen = number % 100 >= 11 && number % 100 <= 13;
  return `${number}${(isTeen ? undefined : SUFFIXES[number % 10]) ?? "th"}`;
}
