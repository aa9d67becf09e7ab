import { storeVectorContract } from "../../store/contract.ts";
import { openStore } from "../../support/stores.ts";

storeVectorContract("PostgreSQL with pgvector", () => openStore(":memory:"));
