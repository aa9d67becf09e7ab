/**
 * The methods of the port that write. A store may run them in another thread than its reads.
 *
 * @module
 */
import type { Store } from "./port.ts";

/** All methods of the port that may change the database; every other one only reads. */
export const WRITING_METHODS = [
  "commit",
  "saveUser",
  "addApiKey",
  "rotateApiKey",
  "revokeApiKey",
  "noteApiKeyUses",
  "takeDue",
  "releaseDue",
  "finishDue",
  "addSpace",
  "fillSpace",
  "completeSpace",
  "saveVectors",
  "sweepVectors",
  "eraseUser",
  "allowUser",
  "eraseReceipts",
  "deleteWorkspaceSlice",
  "beginPurge",
  "purgeSlice",
  "expireReceipts",
  "reanalyseSlice",
  "sealTexts",
  "mergeWords",
  "reclaimSpace",
  "secret",
  "checkDocuments",
  "ping",
] as const satisfies readonly (keyof Store)[];

export type WritingMethod = (typeof WRITING_METHODS)[number];

/** The part of the store that writes. */
export type Writing = Pick<Store, WritingMethod>;

/** The part of the store that reads. */
export type Reading = Omit<Store, WritingMethod | "close" | "early" | "shareTransaction">;

/** One call of a writing method. */
export type WriteRequest<Method extends WritingMethod = WritingMethod> = {
  readonly [M in Method]: { readonly method: M; readonly args: Parameters<Store[M]> };
}[Method];

/** Creates the methods that write; `write` executes one call. */
export function toWriting(write: (request: WriteRequest) => Promise<unknown>): Writing {
  const methods = WRITING_METHODS.map((method) => [
    method,
    // Sound because each method is called with its own arguments.
    (...args: unknown[]) => write({ method, args } as WriteRequest),
  ]);
  // Sound because every method is created, and returns the result of `write`.
  return Object.fromEntries(methods) as Writing;
}
