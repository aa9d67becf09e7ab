/**
 * The methods of the port that write, each at once and in this thread.
 *
 * @module
 */
import type { Store } from "../port.ts";
import type { WriteRequest, WritingMethod } from "../writing.ts";
import { createAdministration } from "./administration.ts";
import { createApiKeyWriter } from "./api_keys.ts";
import { createCommit } from "./commit.ts";
import type { Connection } from "./connection.ts";
import { createDocumentChecker } from "./documents.ts";
import type { DoWrite } from "./write_outcome.ts";
import { createQueueWriter } from "./search/due.ts";
import { createSpaceTable } from "./search/spaces.ts";
import { createVectorTable } from "./search/vectors.ts";
import { createSecretTable } from "./secrets.ts";
import { createUserWriter } from "./users.ts";

/** The writing methods as they are at once. */
type Methods = {
  readonly [M in WritingMethod]: (
    ...args: Parameters<Store[M]>
  ) => Awaited<ReturnType<Store[M]>>;
};

/** Prepares all statements that write. */
export function createWriting(connection: Connection): DoWrite {
  const due = createQueueWriter(connection);
  const spaces = createSpaceTable(connection);
  const vectors = createVectorTable(connection);
  const methods: Methods = {
    commit: createCommit(connection),
    saveUser: createUserWriter(connection),
    ...createApiKeyWriter(connection),
    takeDue: due.takeDue,
    releaseDue: due.releaseDue,
    finishDue: due.finishDue,
    addSpace: spaces.addSpace,
    fillSpace: spaces.fillSpace,
    completeSpace: spaces.completeSpace,
    saveVectors: vectors.saveVectors,
    sweepVectors: vectors.sweepVectors,
    ...createAdministration(connection),
    secret: createSecretTable(connection),
    checkDocuments: createDocumentChecker(connection),
    ping: createPing(connection),
  };
  return ({ method, args }: WriteRequest) => {
    // Sound because WriteRequest pairs each method with its own arguments.
    const write = methods[method] as (...given: typeof args) => unknown;
    return write(...args);
  };
}

function createPing({ db, transaction }: Connection): Methods["ping"] {
  // To begin is no proof: SQLite lets a read-only file begin. This reads and is refused there, yet
  // finds no row, so that a probe costs the disk nothing.
  const write = db.prepare("DELETE FROM migrations WHERE name = ''");
  const fill = db.prepare(
    "INSERT OR REPLACE INTO space_probe (workspace_id, id, filler) VALUES ('', 1, zeroblob(131072))",
  );
  const empty = db.prepare("DELETE FROM space_probe WHERE workspace_id = '' AND id = 1");
  return ({ takesSpace } = { takesSpace: false }) => {
    transaction(() => takesSpace ? fill.run() : write.run());
    // Apart: of what is removed in the transaction that wrote it nothing reaches the disk.
    if (takesSpace) transaction(() => empty.run());
  };
}
