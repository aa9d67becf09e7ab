import type { Connection } from "../../src/store/postgres/connection.ts";
import type { Session } from "../../src/store/postgres/query.ts";
import { createPostgresStore } from "../../src/store/postgres/store.ts";
import { assert, assertEquals } from "../assert.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { openSchema } from "../support/stores.ts";

interface Watched {
  readonly app: TestApp;
  readonly connection: Connection;
  /** Counts the round trips that work waits for. */
  trips(work: () => Promise<unknown>): Promise<number>;
}

/** Opens an app whose statements are recorded. */
async function withWatched(work: (watched: Watched) => Promise<void>): Promise<void> {
  const { connection } = await openSchema({ isPatient: true });
  let trips = 0;
  let isAnswered = true;
  const watch = (session: Session): Session => ({
    async send(text, values) {
      if (isAnswered) trips++;
      isAnswered = false;
      try {
        return await session.send(text, values);
      } finally {
        isAnswered = true;
      }
    },
  });
  const store = createPostgresStore({
    ...connection,
    session: watch(connection.session),
    reading: (read) => connection.reading((session) => read(watch(session))),
    transaction: (write, last) =>
      connection.transaction(
        (session) => write(watch(session)),
        last && ((session, result) => last(watch(session), result)),
      ),
  });
  await withApp((app) =>
    work({
      app,
      connection,
      async trips(asked) {
        trips = 0;
        await asked();
        return trips;
      },
    }), { store });
}

/** Creates something through a route and returns its ID. */
async function make(app: TestApp, route: string, body: unknown): Promise<string> {
  const { status, json } = await app.call(route, { body });
  assertEquals(status, 200);
  return json.id;
}

const workspace = { workspace: true };
const properties = { Name: { title: {} }, No: { unique_id: {} }, Amount: { number: {} } };

Deno.test("a write waits for the server once to read, where one answer leads to no other, and twice to commit", () =>
  withWatched(async ({ app, trips }) => {
    const page = await make(app, "POST /v2/pages", { parent: workspace, properties: {} });
    const database = await make(app, "POST /v2/databases", { parent: workspace, properties });
    const add = () =>
      make(app, "POST /v2/pages", {
        parent: { database_id: database },
        properties: { Amount: { number: 1 } },
      });
    const row = await add();
    const append = () =>
      app.call(`PATCH /v2/blocks/${page}/children`, { body: { children: [{ divider: {} }] } });
    const edit = () =>
      app.call(`PATCH /v2/pages/${row}`, { body: { properties: { Amount: { number: 2 } } } });
    await append();
    await edit();
    assertEquals(await trips(add), 3, "a row");
    assertEquals(await trips(append), 3, "blocks");
    assertEquals(await trips(edit), 4, "a row's values, for its database is to be read");
  }));

Deno.test("no statement of a commit is planned each time", () =>
  withWatched(async ({ app, connection }) => {
    for (let count = 0; count < 10; count++) {
      await make(app, "POST /v2/pages", { parent: workspace, properties: {} });
    }
    const planned = await connection.transaction((session) =>
      session.send(
        "SELECT sum(generic_plans), sum(custom_plans) FROM pg_prepared_statements WHERE statement LIKE $1",
        ["%nodes%"],
      )
    );
    const [generic, custom] = planned[0] ?? [];
    assert(Number(generic) > 10);
    assertEquals(Number(custom), 0);
  }));
