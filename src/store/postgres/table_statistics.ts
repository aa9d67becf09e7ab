/**
 * Keeps the server's statistics of small tables up to date while they grow. Without statistics the
 * planner takes a workspace for a 200th of a table, and reads all of it where it should look up a few
 * keys; with those of an empty table as well. Plans are kept until the server has new statistics, which
 * its autovacuum collects a minute later.
 *
 * @module
 */
import type { Connection } from "./connection.ts";
import { query } from "./query.ts";

export interface TableStatistics {
  /** Counts changes that were committed; collects statistics in the background from time to time. */
  countChanges(changes: number): void;
  /** Waits for what is under way. */
  idle(): Promise<void>;
}

/** Changes before the first look; each further one comes after four times as many. */
const FIRST = 32;
const GROWTH = 4;
/** Changes after which plans cannot be those of a small table, and autovacuum is soon enough. */
const LAST = 200_000;

// Tables that are twice as large as when the server last looked, or more, and were small then.
const outgrown = query<[string]>(`
  SELECT format('%I.%I', s.nspname, c.relname)
  FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace AND s.nspname = current_schema()
  WHERE c.relkind = 'r' AND c.reltuples < ${LAST}
    AND pg_relation_size(c.oid) > 2 * greatest(c.relpages, 0)::bigint
      * current_setting('block_size')::bigint
`);

/** Counts from now on, for the tables of this connection's schema. */
export function createTableStatistics(
  { transaction }: Pick<Connection, "transaction">,
): TableStatistics {
  let changes = 0;
  let next = FIRST;
  let work = Promise.resolve();
  const collect = async (): Promise<void> => {
    await transaction(async (session) => {
      const tables = await outgrown.all(session);
      if (tables.length > 0) await session.send(`ANALYZE ${tables.join(", ")}`, []);
    });
  };
  return {
    countChanges(count) {
      changes += count;
      if (changes < next || next > LAST) return;
      while (next <= changes) next *= GROWTH;
      // A failure changes nothing but the time until the server does it by itself.
      work = work.then(collect).catch(() => {});
    },
    idle: () => work,
  };
}
