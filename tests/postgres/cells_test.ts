import { createPostgresStore } from "../../src/store/postgres/store.ts";
import type { Session, Value } from "../../src/store/postgres/query.ts";
import { assert } from "../assert.ts";
import { newDatabase, newRow, titled } from "../api/database_driver.ts";
import { succeed } from "../api/driver.ts";
import { withApp } from "../support/app.ts";
import { openSchema } from "../support/stores.ts";

// Opened before the test, because what a test opens it must close.
const { connection, wipe } = await openSchema({ isPatient: true });

const PROPERTIES = ["A", "B", "C"];
/** Options of each property, and of the row in each. */
const OPTIONS = 100;
/** Table rows that a statement may pass on or compare, for each cell of the row. */
const MOST = 30;

/** A step of a plan that was followed. */
interface PlanStep {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly Plans?: readonly PlanStep[];
}

/** Returns how many rows a plan passed on from step to step, or compared in vain. */
function rowsOf(step: PlanStep): number {
  const removed = step["Rows Removed by Join Filter"] ?? 0;
  const own = (step["Actual Rows"] + removed) * step["Actual Loops"];
  return (step.Plans ?? []).reduce((sum, below) => sum + rowsOf(below), own);
}

Deno.test("writing the cells of a row compares each with few others", async () => {
  const plans: { readonly sql: string; readonly rows: number }[] = [];
  const explain = async (session: Session, sql: string, values: readonly Value[]) => {
    const [[plan] = []] = await session.send(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values);
    // Sound because that is what the server says of any statement.
    const [{ Plan }] = plan as [{ readonly Plan: PlanStep }];
    plans.push({ sql, rows: rowsOf(Plan) });
  };
  const store = createPostgresStore({
    ...connection,
    transaction: (work, last, workspace) =>
      connection.transaction(
        (session) =>
          work({
            send(sql, values) {
              // Its effects are undone before the statement itself follows.
              if (/\bcells\b/.test(sql)) {
                void session.send("SAVEPOINT explained", []);
                void explain(session, sql, values);
                void session.send("ROLLBACK TO explained", []);
              }
              return session.send(sql, values);
            },
          }),
        last,
        workspace,
      ),
  });
  await withApp(async (app) => {
    const options = Array.from({ length: OPTIONS }, (_, index) => ({ name: `option ${index}` }));
    const { id } = await newDatabase(
      app,
      Object.fromEntries(PROPERTIES.map((name) => [name, { multi_select: { options } }])),
    );
    const values = (chosen: typeof options) =>
      Object.fromEntries(PROPERTIES.map((name) => [name, { multi_select: chosen }]));
    const row = await newRow(app, id, { Name: titled("row"), ...values(options) });
    const body = { properties: values(options.toReversed()) };
    await succeed(app, `PATCH /v2/pages/${row.id}`, { body });
  }, { store });
  assert(plans.length > 1, "the cells were written");
  for (const { sql, rows } of plans) {
    assert(rows < MOST * PROPERTIES.length * OPTIONS, `${rows} rows of ${sql}`);
  }
  await wipe();
});
