/**
 * Several writes as one transaction, so that they reach the disk together.
 *
 * @module
 */
import type { WriteRequest } from "../writing.ts";
import type { Connection } from "./connection.ts";
import { type ErrorData, toErrorData } from "../../shared/error_data.ts";

/** The outcome of one write: the return value of its method, or the error it threw. */
export type WriteOutcome = { readonly value: unknown } | { readonly thrown: ErrorData };

/** Executes one write synchronously. */
export type DoWrite = (request: WriteRequest) => unknown;

/**
 * Executes the writes of a group in order and in one transaction. Each can fail by itself. If the
 * shared transaction fails after it has begun, each write gets a transaction of its own.
 */
export function writeGroup(
  { db, transaction }: Pick<Connection, "db" | "transaction">,
  write: DoWrite,
  group: readonly WriteRequest[],
): WriteOutcome[] {
  const attempt = (request: WriteRequest): WriteOutcome => outcomeOf(() => write(request));
  if (group.length === 1) return group.map(attempt);
  let isBegun = false;
  try {
    return transaction(() => {
      isBegun = true;
      return group.map((request) => {
        const outcome = attempt(request);
        // Some failures end the whole transaction: what came before is undone too.
        if (!db.isTransaction) throw new Error("A write ended the transaction of its group");
        return outcome;
      });
    });
  } catch (error) {
    return isBegun ? group.map(attempt) : group.map(() => ({ thrown: toErrorData(error) }));
  }
}

function outcomeOf(work: () => unknown): WriteOutcome {
  try {
    return { value: work() };
  } catch (error) {
    return { thrown: toErrorData(error) };
  }
}
