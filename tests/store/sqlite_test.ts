import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { storeContract, storeExamples } from "./contract.ts";
import { openInFile } from "./sqlite/files.ts";

storeContract("SQLite", () => Promise.resolve(openSqliteStore(":memory:")));
storeExamples("SQLite in a file", openInFile);
