import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { storeContract, storeExamples } from "./contract.ts";
import { openInThread } from "./sqlite/files.ts";

storeContract("SQLite", () => Promise.resolve(openSqliteStore(":memory:")));
storeExamples("SQLite, written in a thread of its own", openInThread);
