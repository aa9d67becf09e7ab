import { openConnection } from "../../../src/store/sqlite/connection.ts";
import { migrate } from "../../../src/store/sqlite/migrations.ts";
import { createNodeReader } from "../../../src/store/sqlite/nodes.ts";
import { createRowReader } from "../../../src/store/sqlite/rows.ts";
import { createSqliteStore } from "../../../src/store/sqlite/store.ts";
import type { Store } from "../../../src/store/port.ts";
import { rowModelContract } from "../contract_rows_model.ts";

/** A store that thinks even small databases large, so that small tests walk every way. */
function openImpatient(few: number): Promise<Store> {
  const connection = openConnection(":memory:");
  migrate(connection);
  const { firstNodes } = createNodeReader(connection.db);
  const rows = createRowReader(connection, { firstNodes, few });
  return Promise.resolve({ ...createSqliteStore(connection), rows });
}

for (const few of [1, 3]) {
  rowModelContract(`SQLite walking from ${few} rows on`, () => openImpatient(few));
}
