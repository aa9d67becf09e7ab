/**
 * Round-robin order, so that no workspace waits forever.
 *
 * @module
 */

/** Yields names, starting after the one that it yielded last. */
export type RoundRobin = (names: Iterable<string>) => Generator<string, void>;

/** Starts with the first name. */
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
