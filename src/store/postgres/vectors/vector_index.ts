/**
 * The index of vectors that `pgvector` keeps (HNSW), one for each space that is large.
 *
 * @module
 */
import type { VectorIndex } from "../../port.ts";
import type { Connection } from "../connection.ts";
import { query } from "../query.ts";
import { extendIndex } from "./extend.ts";
import { deleteIndex } from "./delete_index.ts";
import { findNear } from "./near.ts";
import { openPgvector } from "./pgvector.ts";

export interface VectorIndexOptions {
  /** Vectors of a space up to which a scan of all is as good. */
  readonly mostScanned: number;
}

export interface PostgresVectorIndex extends VectorIndex {
  /** Deletes what is left of the indexes of forgotten spaces, at most so many rows; answers how many. */
  sweep(workspace: string, limit: number): Promise<number>;
}

export interface OpenedVectorIndex {
  /** Undefined if the database has no extension for it. */
  readonly index: PostgresVectorIndex | undefined;
  /** For the operator: what there is, what it means, and what could be done. */
  readonly notice: string;
}

const reached = query<[number]>(
  "SELECT reach FROM search_indexes WHERE workspace_id = $1 AND space = $2 AND ready",
);

/** Looks for the extension, and tells what was found. */
export async function openVectorIndex(
  connection: Connection,
  { mostScanned }: VectorIndexOptions,
): Promise<OpenedVectorIndex> {
  const found = await openPgvector(connection);
  if ("reason" in found) {
    const notice =
      `Vectors are compared in the memory of each process, of workspaces with more than ${mostScanned} too: ${found.reason}`;
    return { index: undefined, notice };
  }
  const { schema, version } = found;
  return {
    index: {
      reach: async (workspace, space) =>
        (await reached.get(connection.session, workspace, space))?.[0],
      near: (workspace, space, near) => findNear(connection, schema, workspace, space, near),
      extend: (workspace, space) =>
        extendIndex(connection, { schema, mostScanned }, workspace, space),
      sweep: (workspace, limit) =>
        connection.transaction((session) => deleteIndex(session, workspace, limit)),
    },
    notice:
      `Vectors of workspaces with more than ${mostScanned} are indexed by pgvector ${version}; those of others are compared in the memory of each process`,
  };
}
