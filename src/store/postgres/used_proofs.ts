/**
 * DPoP proofs that were used, shared by all processes on a database.
 *
 * @module
 */
import type { UsedProofs } from "../port.ts";
import type { Connection } from "./connection.ts";
import { type Session, statement } from "./query.ts";

/** Proofs after which expired ones are removed: twice as many at most, so that they cannot pile up. */
const SWEEP_EVERY = 500;

// For a moment before a crash of the server, proofs may be forgotten. Waiting for the disk each time
// would cost each read more than everything else.
const NOT_WAITING = "SET LOCAL synchronous_commit = off";

const keep = statement(`
  INSERT INTO dpop_proofs (workspace_id, id, expires_time) VALUES ('', $1, $2)
  ON CONFLICT (workspace_id, id) DO UPDATE SET expires_time = excluded.expires_time
  WHERE dpop_proofs.expires_time <= $3
`);
// Never waits: another process may be removing the same ones.
const removeExpired = statement(`
  DELETE FROM dpop_proofs WHERE workspace_id = '' AND id IN (
    SELECT id FROM dpop_proofs WHERE workspace_id = '' AND expires_time <= $1
    ORDER BY expires_time LIMIT ${2 * SWEEP_EVERY} FOR UPDATE SKIP LOCKED
  )
`);

/** Records used proofs; of concurrent calls with one ID, in any process, one alone gets true. */
export function createUsedProofTable({ transaction }: Connection): UsedProofs["useProof"] {
  let uses = 0;
  return async (id, expiresTime, now) => {
    const isSweep = uses++ % SWEEP_EVERY === 0;
    let isNew = false;
    const record = async (session: Session): Promise<void> => {
      const [, kept] = await Promise.all([
        session.send(NOT_WAITING, []),
        keep(session, id, expiresTime, now),
        isSweep ? removeExpired(session, now) : undefined,
      ]);
      isNew = kept === 1;
    };
    // All of it is sent at once, with the COMMIT.
    await transaction(() => Promise.resolve(), record);
    return isNew;
  };
}
