import { assert, assertEquals } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import { newDatabase, newRow, titled, valuesOf } from "./database_driver.ts";
import { openStore } from "../support/stores.ts";
import { succeed } from "./driver.ts";

const WRITERS = 16;
const ROWS = 10;

/** All rows of a database, over all pages. */
async function rowsOf(app: Pick<TestApp, "call">, id: string): Promise<Answer["json"][]> {
  const rows: Answer["json"][] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const body: object = cursor === undefined ? {} : { start_cursor: cursor };
    const list = await succeed(app, `POST /v2/databases/${id}/query`, { body });
    rows.push(...list.results);
    cursor = list.next_cursor;
  }
  return rows;
}

interface Tables {
  readonly tasks: string;
  readonly mirror: string;
  readonly projects: string;
  readonly project: string;
}

/** A database of numbered tasks with a dual relation to projects. */
async function createTables(app: Pick<TestApp, "call">): Promise<Tables> {
  const projects = await newDatabase(app);
  const tasks = await newDatabase(app, {
    No: { unique_id: {} },
    Count: { number: {} },
    Tags: { multi_select: {} },
    Project: { relation: { database_id: projects.id, dual_property: {} } },
  });
  const { synced_property_name } = tasks.properties.Project.relation.dual_property;
  const project = await newRow(app, projects.id, { Name: titled("P") });
  return {
    tasks: tasks.id,
    mirror: synced_property_name,
    projects: projects.id,
    project: project.id,
  };
}

/** Each writer adds rows in sequence. Returns the numbers and ids in the replies. */
function writeAll(
  apps: readonly Pick<TestApp, "call">[],
  { tasks, project }: Tables,
): Promise<readonly Answer["json"][]> {
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    const app = apps[writer % apps.length];
    assert(app !== undefined);
    const made: Answer["json"][] = [];
    for (let row = 0; row < ROWS; row++) {
      made.push(
        await newRow(app, tasks, {
          Count: { number: row },
          Tags: { multi_select: [{ name: `writer ${writer}` }] },
          Project: { relation: [{ id: project }] },
        }),
      );
    }
    return made;
  });
  return Promise.all(writers).then((made) => made.flat());
}

async function assertWhole(
  app: Pick<TestApp, "call">,
  { tasks, mirror, project }: Tables,
  told: readonly Answer["json"][],
): Promise<void> {
  const rows = await rowsOf(app, tasks);
  const ids = (pages: readonly { readonly id: string }[]) => pages.map(({ id }) => id).sort();
  assertEquals(ids(rows), ids(told));
  const numbers = rows.map((row) => row.properties.No.unique_id.number).sort((a, b) => a - b);
  assertEquals(numbers, Array.from({ length: WRITERS * ROWS }, (_, index) => index + 1));
  for (const row of rows) assertEquals(valuesOf(row).Project, [{ id: project }]);
  const shown = valuesOf(await succeed(app, `GET /v2/pages/${project}`))[mirror];
  assertEquals(ids(shown as { readonly id: string }[]), ids(rows));
  const { properties } = await succeed(app, `GET /v2/databases/${tasks}`);
  const names = properties.Tags.multi_select.options.map(({ name }: { name: string }) => name);
  assertEquals(new Set(names).size, WRITERS);
  assertEquals(names.length, WRITERS);
}

Deno.test("16 concurrent writers number their rows without gaps or repeats, and both sides show all", () =>
  withApp(async (app) => {
    const tables = await createTables(app);
    await assertWhole(app, tables, await writeAll([app], tables));
  }));

Deno.test("16 writers on two services with one database lose and repeat nothing", () =>
  withApp(async (first) => {
    const second = await openStore(`${first.folder}/recto.db`);
    await withApp(async (app) => {
      const token = await first.mint();
      const other = {
        call: (route: string, options = {}) => app.call(route, { token, ...options }),
      };
      const tables = await createTables(first);
      await assertWhole(first, tables, await writeAll([first, retrying(other)], tables));
    }, { store: second, environment: { RECTO_DATA_DIR: first.folder } });
  }));

/** A client that retries on conflicts. */
function retrying({ call }: Pick<TestApp, "call">): Pick<TestApp, "call"> {
  return {
    async call(route, options) {
      for (;;) {
        const answer = await call(route, options);
        if (answer.status !== 409 && answer.status !== 503) return answer;
      }
    },
  };
}

Deno.test("concurrent changes of one row with If-Match build on one another", () =>
  withApp(async (app) => {
    const { tasks } = await createTables(app);
    const { id } = await newRow(app, tasks, { Count: { number: 0 } });
    const increment = async () => {
      for (;;) {
        const read = await app.call(`GET /v2/pages/${id}`);
        const count = read.json.properties.Count.number + 1;
        const { status } = await app.call(`PATCH /v2/pages/${id}`, {
          body: { properties: { Count: { number: count } } },
          headers: { "if-match": read.headers.get("etag") ?? "" },
        });
        if (status === 200) return;
        assertEquals(status, 412);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, increment));
    const { Count } = valuesOf(await succeed(app, `GET /v2/pages/${id}`));
    assertEquals(Count, WRITERS);
  }));
