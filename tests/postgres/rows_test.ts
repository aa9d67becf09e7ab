import { createRowReader } from "../../src/store/postgres/rows.ts";
import { createPostgresStore } from "../../src/store/postgres/store.ts";
import { rowModelContract } from "../store/contract_rows_model.ts";
import { textBlockContract } from "../store/contract_text_blocks.ts";
import { openSchema } from "../support/stores.ts";

// Opened before the test, because what a test opens it must close.
const { connection, wipe } = await openSchema({ isPatient: true });

/** A store that thinks even small databases large, so that small tests walk every way. */
const impatient = {
  ...createPostgresStore(connection),
  ...createRowReader(connection, { few: 2 }),
  close: wipe,
};

rowModelContract("PostgreSQL walking from 2 rows on", () => Promise.resolve(impatient));
textBlockContract("PostgreSQL", () => Promise.resolve(impatient));
