/**
 * The vector index of `pgvector` (HNSW), one for each large space.
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
  /** Maximum number of vectors in a space that is scanned without an index. */
  readonly mostScanned: number;
}

export interface PostgresVectorIndex extends VectorIndex {
  /** Deletes up to `limit` rows of indexes of deleted spaces. Returns how many it deleted. */
  sweep(workspace: string, limit: number): Promise<number>;
}

export interface OpenedVectorIndex {
  /** Undefined if pgvector cannot be used. */
  readonly index: PostgresVectorIndex | undefined;
  /** Tells the operator how vectors are compared, and why. */
  readonly notice: string;
}

const reached = query<[number]>(
  "SELECT reach FROM search_indexes WHERE workspace_id = $1 AND space = $2 AND ready",
);

/** Opens the index if the database has pgvector. */
export async function openVectorIndex(
  connection: Connection,
  { mostScanned }: VectorIndexOptions,
): Promise<OpenedVectorIndex> {
  const found = await openPgvector(connection);
  if ("reason" in found) {
    const notice =
      `Vectors are compared in the memory of each process, even in workspaces with more than ${mostScanned}: ${found.reason}`;
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
      `Workspaces with more than ${mostScanned} vectors use pgvector ${version}; the vectors of smaller ones are compared in the memory of each process`,
  };
}
