/** Computes a value on first use and caches it, so that start-up need not wait for it. */
export function lazy<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => (cached ??= { value: make() }).value;
}

/** Like `lazy()`, for promises: one that rejected is tried again on the next use. */
export function lazyPromise<T>(make: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined;
  return () =>
    cached ??= make().catch((error) => {
      cached = undefined;
      throw error;
    });
}
