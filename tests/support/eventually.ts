/**
 * Waiting for what becomes true.
 *
 * @module
 */

/** Retries work for a while until it succeeds. */
export async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0;; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
