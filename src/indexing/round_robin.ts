/**
 * Whose turn it is among many, so that none waits for ever.
 *
 * @module
 */

/** Goes through some names, from the one behind the name that it gave last. */
export type RoundRobin = (names: Iterable<string>) => Generator<string, void>;

/** Nobody has had a turn yet. */
export function createRoundRobin(): RoundRobin {
  let last = "";
  return function* (names) {
    const sorted = [...names].sort();
    const next = Math.max(0, sorted.findIndex((name) => name > last));
    for (const name of [...sorted.slice(next), ...sorted.slice(0, next)]) {
      last = name;
      yield name;
    }
  };
}
