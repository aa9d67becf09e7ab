/**
 * Counts how often a `URLPattern` is compiled.
 *
 * @module
 */

/** Counts until it is disposed of. */
export function countPatterns(): { count: number } & Disposable {
  const own = globalThis.URLPattern;
  const counter = {
    count: 0,
    [Symbol.dispose]: () => {
      globalThis.URLPattern = own;
    },
  };
  globalThis.URLPattern = new Proxy(own, {
    construct: (target, [input]) => {
      counter.count++;
      return new target(input);
    },
  });
  return counter;
}
