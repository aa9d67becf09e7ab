/**
 * Snapshots: what readers see of workspaces while these are changed in slices.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";
import type { WorkspaceHolds } from "../database.ts";
import type { Reading } from "../writing.ts";
import type { Connection } from "./connection.ts";
import { mapDatabaseErrors } from "./failures.ts";

/** Reads of one connection, and those of them that are under way. */
export interface TrackedReading {
  readonly reading: Reading;
  /** Resolves once all reads of several steps that are under way have ended. */
  settled(): Promise<void>;
}

export interface Snapshots extends WorkspaceHolds {
  /** Reads each workspace as its readers are to see it. */
  readonly reading: Reading;
  /** Closes all. */
  close(): Promise<void>;
}

export interface SnapshotParts {
  readonly current: TrackedReading;
  /** Opens another connection to the file. */
  readonly open: () => Connection;
  readonly read: (connection: Connection) => TrackedReading;
}

interface Snapshot {
  readonly reading: Reading | undefined;
  close(): Promise<void>;
}

type AnyReading = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

const REFUSED: Snapshot = { reading: undefined, close: () => Promise.resolve() };

/** Creates reads of the current state, without snapshots. */
export function createSnapshots({ current, open, read }: SnapshotParts): Snapshots {
  const held = new Map<string, Snapshot>();

  function take(): Snapshot {
    const connection = open();
    const { db } = connection;
    db.exec("BEGIN");
    // The first read decides which state the transaction sees.
    db.prepare("SELECT 1 FROM migrations LIMIT 1").get();
    const { reading, settled } = read(connection);
    return {
      reading,
      close: async () => {
        await settled();
        db.close();
      },
    };
  }

  /** The reads of this workspace, or of all if the first argument names none. */
  function readingOf(workspace: unknown): Reading {
    const snapshot = typeof workspace === "string" ? held.get(workspace) : undefined;
    if (snapshot === undefined) return current.reading;
    if (snapshot.reading === undefined) throw unfinished();
    return snapshot.reading;
  }

  const methods = Object.keys(current.reading).map((name) => {
    // Sound because each method is called with its own arguments.
    const method = (reading: Reading) => (reading as unknown as AnyReading)[name];
    const now = method(current.reading);
    const routed = (...args: unknown[]) => {
      if (held.size === 0) return now?.(...args);
      try {
        return method(readingOf(args[0]))?.(...args);
      } catch (error) {
        return Promise.reject(error);
      }
    };
    return [name, routed];
  });
  return {
    // Sound because every method is there, and settles like the one of its name.
    reading: Object.fromEntries(methods) as Reading,
    async hold(workspace) {
      // A primary that is replaced leaves it to the next one to finish what it has begun.
      if (held.has(workspace)) return;
      held.set(workspace, mapDatabaseErrors(take));
      await current.settled();
    },
    refuse: (workspace) => void held.set(workspace, REFUSED),
    async release(workspace) {
      const snapshot = held.get(workspace);
      held.delete(workspace);
      await snapshot?.close();
    },
    async close() {
      await Promise.all(held.values().map((snapshot) => snapshot.close()));
    },
  };
}

function unfinished(): AppError {
  const detail = "A change of this workspace was interrupted and is not finished yet: try again";
  return new AppError("service_unavailable", detail, { headers: { "retry-after": "5" } });
}
