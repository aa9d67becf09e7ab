/**
 * Detects a pooler that assigns server sessions per transaction or statement.
 *
 * @module
 */
import { OperatorError } from "../operator_error.ts";
import type { Client } from "./client.ts";

/** Says that what is kept in a session, as prepared statements are, is kept for others. */
export class PoolerError extends OperatorError {
  override name = "PoolerError";
}

const WHOSE = "SELECT pg_backend_pid()";

/** The order in which two connections ask: no turns that a pooler gives to two or more fit it. */
const ORDER = [0, 1, 0, 0, 1, 0, 1, 1] as const;

/** Rejects unless two connections keep a server process each. */
export async function assertSessions([first, second]: readonly Client[]): Promise<void> {
  if (first === undefined || second === undefined) throw new Error("There are no two connections");
  const pair = [first, second] as const;
  // Again, because a connection may have been cut in between.
  if (await haveSessions(pair) || await haveSessions(pair)) return;
  throw new PoolerError(
    "behind it is a pooler that gives connections to others between transactions (PgBouncer: " +
      "pool_mode = transaction); set it to pool_mode = session, or name the server itself",
  );
}

async function haveSessions(pair: readonly [Client, Client]): Promise<boolean> {
  const seen = [new Set<unknown>(), new Set<unknown>()] as const;
  for (const turn of ORDER) {
    const [[process] = []] = await pair[turn].send(WHOSE, []);
    seen[turn].add(process);
  }
  return seen.every(({ size }) => size === 1) && seen[0].isDisjointFrom(seen[1]);
}
