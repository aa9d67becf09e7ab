import { storeContract } from "../store/contract.ts";
import { openStore } from "../support/stores.ts";

storeContract("PostgreSQL", () => openStore(":memory:"));
