import type { Store } from "../../../src/store/port.ts";
import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { createSlicedCommits } from "../../../src/store/sqlite/sliced_commits.ts";
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import { storeExamples } from "../contract.ts";
import { openInThread } from "./files.ts";

/** Each step is a slice, and no commit is made in one transaction. */
const STEPS = { patience: -1, time: -1 };

storeExamples("SQLite, in slices of one step", () => openInThread({ slices: STEPS }));

/** A store that forgets, behind each slice, what it was doing, as a crash would make it. */
function openForgetful(): Promise<Store> {
  const connection = openConnection(":memory:");
  migrate(connection);
  const slices = () => createSlicedCommits(connection, STEPS);
  return Promise.resolve({
    ...createSqliteStore(connection),
    commit: (workspace, changes, receipt) => {
      let outcome = slices().begin(workspace, changes, receipt);
      while (outcome === "unfinished") outcome = slices().goOn(workspace);
      return Promise.resolve(outcome);
    },
  });
}

storeExamples("SQLite, interrupted behind each step", openForgetful);
