import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { storeContract } from "./contract.ts";

storeContract("SQLite", () => Promise.resolve(openSqliteStore(":memory:")));
