/**
 * Search, which PostgreSQL does not serve yet.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import type { Store } from "../port.ts";
import type { VectorStore } from "../vector_port.ts";

type Asking = "findWords" | "wordStatistics" | "edited" | "words";
type Queue = "dueWorkspaces" | "takeDue" | "finishDue" | "countDue";

function refuse(): Promise<never> {
  return Promise.reject(new AppError("not_implemented", "Search is not built on PostgreSQL yet"));
}

/** Refuses every search; the queue of pages whose vectors are due is empty. */
export const NO_SEARCH: Pick<Store, Asking | Queue | keyof VectorStore> = {
  findWords: refuse,
  wordStatistics: refuse,
  edited: refuse,
  words: refuse,
  dueWorkspaces: () => Promise.resolve([]),
  takeDue: () => Promise.resolve([]),
  finishDue: () => Promise.resolve(),
  countDue: () => Promise.resolve(0),
  searchedWorkspaces: () => Promise.resolve([]),
  spaces: refuse,
  addSpace: refuse,
  model: refuse,
  fillSpace: refuse,
  completeSpace: refuse,
  sweepVectors: refuse,
  saveVectors: refuse,
  vectors: refuse,
  pageIds: refuse,
  pagesWithin: refuse,
};
