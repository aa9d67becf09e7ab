/**
 * Transactions that several writes of a workspace share: one lock, one update of the word index,
 * one COMMIT, and so one sync to the server's disk.
 *
 * @module
 */
import { createLinkReader } from "../reads/links.ts";
import { toMethods } from "../reads/reads.ts";
import type { PartWork, ShareTransaction, TransactionPart } from "../port.ts";
import { ConflictError } from "./changes/expectation.ts";
import { createClosableSession } from "./closable_session.ts";
import { applyInTurn, areShort } from "./commit.ts";
import type { Connection } from "./connection.ts";
import { UnknownOutcome } from "./failures.ts";
import type { Session } from "./query.ts";
import { read, READS } from "./reader.ts";
import { createSearchIndexer, type SearchIndexer } from "./search/indexer.ts";
import { type ChangedPages, savePages } from "./search/pages.ts";
import { lockWorkspace } from "./workspace_lock.ts";

/** Milliseconds after which no further work begins: other processes wait for the lock. */
const TIME = 50;

/** Each part releases the savepoint before it: nested savepoints would cost more with each. */
const BEGIN_FIRST = "SAVEPOINT part";
const BEGIN_NEXT = "RELEASE part; SAVEPOINT part";
const UNDO = "ROLLBACK TO part";

interface Shared<T> {
  readonly outcomes: readonly PromiseSettledResult<T | undefined>[];
  /** Number of changes, also of those that were undone. */
  readonly changes: number;
  readonly pages: ChangedPages;
}

export interface SharedTransactionOptions {
  /** Replaces `TIME`. */
  readonly time?: number;
  /** Called with the number of changes of each transaction. */
  readonly onCommit?: (changes: number) => void;
}

/** Creates the method of the port on transactions of this connection. */
export function createSharedTransactions(
  { transactionOnce }: Pick<Connection, "transactionOnce">,
  { time = TIME, onCommit = () => {} }: SharedTransactionOptions = {},
): ShareTransaction {
  return async (workspace, works) => {
    try {
      const { outcomes, changes } = await transactionOnce(
        (session) => doAll(session, { workspace, works, time }),
        (session, { pages }) => savePages(session, workspace, pages),
        workspace,
      );
      onCommit(changes);
      return outcomes;
    } catch (error) {
      if (error instanceof UnknownOutcome) throw error;
      // Each work is done alone, which retries what can be retried and reports what cannot.
      return undefined;
    }
  };
}

interface Plan<T> {
  readonly workspace: string;
  readonly works: readonly PartWork<T>[];
  readonly time: number;
}

async function doAll<T>(
  session: Session,
  { workspace, works, time }: Plan<T>,
): Promise<Shared<T>> {
  const watched = watchFailures(session);
  const search = createSearchIndexer(session, workspace);
  let changed = 0;
  const onChanges = (count: number): void => void (changed += count);
  await lockWorkspace(session, workspace);
  const end = performance.now() + time;
  const outcomes: PromiseSettledResult<T | undefined>[] = [];
  for (const work of works) {
    if (outcomes.length > 0 && performance.now() >= end) break;
    // Not awaited: if it fails, so do the statements after it.
    void session.send(outcomes.length === 0 ? BEGIN_FIRST : BEGIN_NEXT, []);
    const own = createClosableSession(watched.session);
    const part = createPart(own.session, workspace, { search, onChanges });
    const [outcome] = await Promise.allSettled([work(part)]);
    watched.rethrow();
    if (outcome.status === "rejected" || outcome.value === undefined) {
      own.close();
      void session.send(UNDO, []);
    }
    outcomes.push(outcome);
  }
  return { outcomes, changes: changed, pages: await search.changedPages() };
}

function createPart(
  session: Session,
  workspace: string,
  { search, onChanges }: {
    readonly search: SearchIndexer;
    readonly onChanges: (count: number) => void;
  },
): TransactionPart {
  const { fewLinks, nextLinks, ...methods } = toMethods(READS, (plan) => read(session, plan));
  return {
    reading: { ...methods, links: createLinkReader({ fewLinks, nextLinks }) },
    async commit(changes, receipt) {
      if (!areShort(changes)) return "conflict";
      onChanges(changes.length);
      try {
        await applyInTurn(session, { workspace, changes, search, receipt });
        return "committed";
      } catch (error) {
        if (error instanceof ConflictError) return "conflict";
        throw error;
      }
    },
  };
}

interface WatchedSession {
  readonly session: Session;
  /** Throws the first error of a statement: after it the transaction cannot be committed. */
  rethrow(): void;
}

function watchFailures(session: Session): WatchedSession {
  let failure: { readonly error: unknown } | undefined;
  return {
    session: {
      send(text, values) {
        const answer = session.send(text, values);
        answer.catch((error) => failure ??= { error });
        return answer;
      },
    },
    rethrow() {
      if (failure !== undefined) throw failure.error;
    },
  };
}
