/**
 * The store on PostgreSQL.
 *
 * @module
 */
import type { Store, VectorIndex } from "../port.ts";
import { createLinkReader } from "../reads/links.ts";
import type { ReadPlan } from "../reads/query.ts";
import { toMethods } from "../reads/reads.ts";
import { createApiKeyWriter } from "./api_keys.ts";
import { type AdministrationWrites, createAdministration } from "./administration.ts";
import { createCommit } from "./commit.ts";
import { type Connection, type ConnectionOptions, openConnection } from "./connection.ts";
import { createStoreMetrics, measured, type StoreMetrics } from "../store_metrics.ts";
import { checkDocuments } from "./documents.ts";
import { mapDatabaseErrors } from "./failures.ts";
import { migrate } from "./migrations.ts";
import { statement } from "./query.ts";
import { read, READS } from "./reader.ts";
import { createRowReader } from "./rows.ts";
import { createQueueWriter } from "./search/due.ts";
import { type FillOptions, startFilling } from "./search/fill.ts";
import { findWords, readWords } from "./search/finder.ts";
import { createOutdatedCheck } from "./search/reanalysis.ts";
import { createSpaceTable } from "./search/spaces.ts";
import { createWordCounter } from "./search/statistics.ts";
import { createVectorTable } from "./search/vectors.ts";
import { createSecretTable } from "./secrets.ts";
import { createSharedTransactions } from "./shared_transaction.ts";
import { startSharedClock } from "./shared_clock.ts";
import { createTableStatistics } from "./table_statistics.ts";
import { createUsedProofTable } from "./used_proofs.ts";
import { createUserWriter } from "./users.ts";
import {
  openVectorIndex,
  type PostgresVectorIndex,
  type VectorIndexOptions,
} from "./vectors/vector_index.ts";

export interface PostgresStoreOptions extends ConnectionOptions, FillOptions {
  /** Undefined: the extension for it is not looked for. */
  readonly vectorIndex?: VectorIndexOptions;
  /** Called with a sentence that an operator should know about the database. */
  readonly onNotice?: (notice: string) => void;
}

export interface PostgresStore extends Store {
  /** Milliseconds since the epoch by the clock that all processes on this database go by. */
  now(): number;
}

/** Opens the store on a server; rejects if that is unreachable or newer than this release. */
export async function openPostgresStore(
  { url, size, vectorIndex, onNotice, metrics = createStoreMetrics(), ...options }:
    PostgresStoreOptions,
): Promise<PostgresStore> {
  const connection = openConnection({ url, size, metrics });
  try {
    await mapDatabaseErrors(connection.assertSessions);
    await mapDatabaseErrors(() => migrate(connection));
    const opened = vectorIndex &&
      await mapDatabaseErrors(() => openVectorIndex(connection, vectorIndex));
    if (opened !== undefined) onNotice?.(opened.notice);
    const store = createPostgresStore(connection, opened?.index, metrics);
    const clock = await mapDatabaseErrors(() =>
      startSharedClock(connection, onNotice && { onNotice })
    );
    const filling = startFilling(connection, options);
    return {
      ...store,
      now: clock.now,
      close: async () => {
        clock.stop();
        await filling.stop();
        await store.close();
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** The store over connections to a database whose schema is up to date. */
export function createPostgresStore(
  connection: Connection,
  index?: PostgresVectorIndex,
  { reads: times }: StoreMetrics = createStoreMetrics(),
): Store {
  const { session, reading } = connection;
  const toRead: typeof toPort = (method) => measured(toPort(method), times);
  const due = createQueueWriter(connection);
  const spaces = createSpaceTable(connection);
  const vectors = createVectorTable(connection);
  const keys = createApiKeyWriter(connection);
  const statistics = createTableStatistics(connection);
  const run = toRead((plan: ReadPlan<unknown>) => read(session, plan));
  const { fewLinks, nextLinks, ...methods } = toMethods(READS, run);
  const { rows, listRows } = createRowReader(connection);
  return {
    ...(index !== undefined && { vectorIndex: toPortIndex(index) }),
    ...methods,
    links: createLinkReader({ fewLinks, nextLinks }),
    rows: toRead(rows),
    listRows: toRead(listRows),
    findWords: toRead((workspace, query) =>
      reading((session) => read(session, findWords(workspace, query)), { workspace })
    ),
    wordStatistics: toRead(createWordCounter(connection)),
    hasOutdatedWords: toRead(createOutdatedCheck(connection)),
    words: toRead((workspace, ids, from) => read(session, readWords(workspace, ids, from))),
    takeDue: toPort(due.takeDue),
    releaseDue: toPort(due.releaseDue),
    finishDue: toPort(due.finishDue),
    searchedWorkspaces: toRead(spaces.searchedWorkspaces),
    spaces: toRead(spaces.spaces),
    addSpace: toPort(spaces.addSpace),
    model: toRead(spaces.model),
    fillSpace: toPort(spaces.fillSpace),
    completeSpace: toPort(spaces.completeSpace),
    saveVectors: toPort(vectors.saveVectors),
    vectors: toRead(vectors.vectors),
    sweepVectors: toPort(async (workspace, limit) =>
      await vectors.sweepVectors(workspace, limit) || (await index?.sweep(workspace, limit) ?? 0)
    ),
    pageIds: toRead(vectors.pageIds),
    pagesWithin: toRead(vectors.pagesWithin),
    commit: toPort(createCommit(connection, statistics.countChanges)),
    shareTransaction: createSharedTransactions(connection, { onCommit: statistics.countChanges }),
    saveUser: toPort(createUserWriter(connection)),
    addApiKey: toPort(keys.addApiKey),
    rotateApiKey: toPort(keys.rotateApiKey),
    revokeApiKey: toPort(keys.revokeApiKey),
    noteApiKeyUses: toPort(keys.noteApiKeyUses),
    ...toPortAll(createAdministration(connection)),
    secret: toPort(createSecretTable(connection)),
    usedProofs: { useProof: toPort(createUsedProofTable(connection)) },
    checkDocuments: toPort((after, limit) => checkDocuments(session, after, limit)),
    ping: toPort(createPing(connection)),
    close: async () => {
      await statistics.idle();
      await connection.close();
    },
  };
}

// A standby lets a transaction begin. This is refused there, or where others may not write, yet
// finds no row, so that a probe costs the disk nothing.
const write = statement("DELETE FROM nodes WHERE workspace_id = '' AND id = ''");

const fill = statement(`
  INSERT INTO space_probe (workspace_id, filler) VALUES ('', decode(repeat('00', 131072), 'hex'))
  ON CONFLICT (workspace_id) DO UPDATE SET filler = excluded.filler
`);
const empty = statement("DELETE FROM space_probe WHERE workspace_id = ''");

/** Sent first, so that the probe gives up on a lock that commits would wait for, too. */
const IMPATIENT = "SET LOCAL lock_timeout = 1000";

function createPing({ probe }: Connection): Store["ping"] {
  return ({ takesSpace } = { takesSpace: false }) =>
    probe(async (session) => {
      await Promise.all([session.send(IMPATIENT, []), write(session)]);
      if (!takesSpace) return;
      await fill(session);
      await empty(session);
    });
}

function toPortIndex({ reach, near, extend }: PostgresVectorIndex): VectorIndex {
  return { reach: toPort(reach), near: toPort(near), extend: toPort(extend) };
}

function toPortAll(methods: AdministrationWrites): AdministrationWrites {
  return {
    eraseUser: toPort(methods.eraseUser),
    allowUser: toPort(methods.allowUser),
    eraseReceipts: toPort(methods.eraseReceipts),
    deleteWorkspaceSlice: toPort(methods.deleteWorkspaceSlice),
    beginPurge: toPort(methods.beginPurge),
    purgeSlice: toPort(methods.purgeSlice),
    expireReceipts: toPort(methods.expireReceipts),
    reanalyseSlice: toPort(methods.reanalyseSlice),
    sealTexts: toPort(methods.sealTexts),
    mergeWords: toPort(methods.mergeWords),
    reclaimSpace: toPort(methods.reclaimSpace),
  };
}

/** A method as the port declares it: errors of the database become those of the service. */
function toPort<Args extends unknown[], T>(
  method: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  return (...args) => mapDatabaseErrors(() => method(...args));
}
