/**
 * Pauses in long work within a transaction.
 *
 * @module
 */
import { createRest, type Rest, yieldToEventLoop } from "../../shared/yield_to_event_loop.ts";
import { type Session, statement } from "./query.ts";

/** Milliseconds without a statement, far below the `idle_in_transaction_session_timeout`. */
const LONGEST_SILENCE = 2_000;

const nothing = statement("SELECT");

/**
 * Starts the clock of long work between two statements of a transaction. Where it pauses, it keeps the
 * server from ending the session as idle. `silence` replaces the milliseconds without a statement.
 */
export function createSessionRest(session: Session, silence = LONGEST_SILENCE): Rest {
  let sent = performance.now();
  return createRest(async () => {
    await yieldToEventLoop();
    if (performance.now() - sent < silence) return;
    await nothing(session);
    sent = performance.now();
  });
}
