import type { RowQuery } from "../../src/content/query/filter.ts";
import type { Connection } from "../../src/store/postgres/connection.ts";
import { read, READS } from "../../src/store/postgres/reader.ts";
import type { Session, Value } from "../../src/store/postgres/query.ts";
import { createRowReader } from "../../src/store/postgres/rows.ts";
import { BY_INDEX } from "../../src/store/postgres/rows/planning.ts";
import { createPostgresStore } from "../../src/store/postgres/store.ts";
import type { Store } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";
import { W } from "../store/contract_support.ts";
import { assertPaged, fillRows, ROW_QUERIES } from "../store/row_queries.ts";
import { rowQuery } from "../store/row_samples.ts";
import { openSchema } from "../support/stores.ts";

/** Maximum number of index entries that a query may read, for 8,000 rows with five cells each. */
const MOST = 6_000;
/** Maximum number of statements per query. */
const MOST_TRIPS = 30;
/** Rows read by the first plan, few enough that every plan is used. */
const FEW = 64;

interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
}

interface Watched {
  readonly connection: Connection;
  readonly store: Store;
  /** The statements with values sent since the list was last emptied. */
  readonly statements: Statement[];
}

/** Runs work on a large database whose statements are recorded. */
async function withRows(work: (watched: Watched) => Promise<void>): Promise<void> {
  const { connection } = await openSchema({ isPatient: true });
  const statements: Statement[] = [];
  const watch = (session: Session): Session => ({
    send(text, values) {
      // Except the nodes of the result, which are read by ID.
      if (values.length > 0 && !values.some(Array.isArray)) statements.push({ text, values });
      return session.send(text, values);
    },
  });
  const watched: Connection = {
    ...connection,
    reading: (read) => connection.reading((session) => read(watch(session))),
  };
  try {
    const rows = createRowReader(watched, { few: FEW });
    const store = { ...createPostgresStore(connection), ...rows };
    await fillRows(store);
    // Not the whole database: other tests leave their schemas in it.
    await connection.session.send("VACUUM ANALYZE nodes, cells, links", []);
    await work({ connection, store, statements });
  } finally {
    await connection.close();
  }
}

/** A plan node, as EXPLAIN prints it. */
interface Step {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly Step[];
}

/** Explains and runs the statement again. */
async function explain(connection: Connection, { text, values }: Statement): Promise<Step[]> {
  return await connection.reading(async (session) => {
    const literals = values.map((value) => `'${String(value).replaceAll("'", "''")}'`);
    await session.send(`${BY_INDEX}; PREPARE asked AS ${text}`, []);
    const [row] = await session.send(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked (${literals.join(", ")})`,
      [],
    );
    await session.send("DEALLOCATE asked", []);
    // Sound because EXPLAIN returns one value of this shape.
    const [{ Plan }] = row?.[0] as [{ Plan: Step }];
    return [...stepsOf(Plan)];
  });
}

function* stepsOf(step: Step): Generator<Step> {
  yield step;
  for (const inner of step.Plans ?? []) yield* stepsOf(inner);
}

/** Returns how many table rows a plan node read. */
function metBy(step: Step): number {
  const each = step["Actual Rows"] + (step["Rows Removed by Filter"] ?? 0);
  return each * step["Actual Loops"];
}

/** Returns the ways in which a query's plans read too much. */
async function issuesOf(watched: Watched, query: Partial<RowQuery>): Promise<string[]> {
  const { connection, store, statements } = watched;
  statements.length = 0;
  const found = await store.rows(W, rowQuery({ limit: 20, ...query }));
  assert(found.length > 0, "it finds rows");
  const plans = await Promise.all(statements.map((one) => explain(connection, one)));
  const steps = plans.flat();
  const tables = steps.filter((step) => step["Relation Name"] !== undefined);
  const met = tables.map(metBy).reduce((sum, one) => sum + one, 0);
  assert(met >= found.length, "it is counted");
  const scans = tables.filter((step) => !step["Node Type"].startsWith("Index"));
  return [
    ...(met > MOST ? [`looks at ${met}`] : []),
    ...(statements.length > MOST_TRIPS ? [`asks ${statements.length} times`] : []),
    ...scans.map((step) => `${step["Node Type"]} of ${step["Relation Name"]}`),
  ];
}

Deno.test("rows() on PostgreSQL looks at few of many rows by index, in few statements", async () => {
  await withRows(async (watched) => {
    const all: string[] = [];
    for (const [name, query] of Object.entries(ROW_QUERIES)) {
      const issues = await issuesOf(watched, query);
      all.push(...issues.map((issue) => `${name}: ${issue}`));
    }
    assertEquals(all, []);
  });
});

Deno.test("rows() on PostgreSQL finds the same with or without a look at every row", async () => {
  await withRows(({ store }) => assertPaged(store));
});

Deno.test("a row of many is read on PostgreSQL without a look at the others", async () => {
  await withRows(({ connection }) =>
    connection.reading(async (session) => {
      await read(session, READS.node(W, "row 7"));
      const [[tuples] = []] = await session.send(
        `SELECT seq_tup_read FROM pg_stat_xact_user_tables
        WHERE schemaname = current_schema() AND relname = 'nodes'`,
        [],
      );
      assertEquals(Number(tuples), 0);
    })
  );
});
