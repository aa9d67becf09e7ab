/** Makes a value when it is first asked for, and keeps it: what a start need not wait for. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Makes a value when it is first asked for, and keeps it; what fails is tried again. */
export function lazyPromise<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
}
