/**
 * Sessions that end before their connection does.
 *
 * @module
 */
import type { Session } from "./query.ts";

export interface ClosableSession {
  readonly session: Session;
  /** Refuses all further statements. */
  close(): void;
}

/**
 * Creates a session for work that is undone if it fails. What the work does at the same time as the part
 * that failed goes on: its further statements would run after the ROLLBACK, and so be committed by
 * themselves or in the next transaction of the connection.
 */
export function createClosableSession(session: Session): ClosableSession {
  let isClosed = false;
  return {
    session: {
      send(text, values) {
        if (!isClosed) return session.send(text, values);
        const refused = Promise.reject(new Error("The transaction was rolled back"));
        // A caller that sends several statements at once looks only at the first failure.
        refused.catch(() => {});
        return refused;
      },
    },
    close() {
      isClosed = true;
    },
  };
}
