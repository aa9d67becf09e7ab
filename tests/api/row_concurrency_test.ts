import fc from "fast-check";
import { assert, assertEquals } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import { faithful, withFaithfulApp } from "../support/faithful.ts";
import { openStore } from "../support/stores.ts";
import { namedRows, newDatabase, newRow, query, titled, valuesOf } from "./database_driver.ts";
import { succeed } from "./driver.ts";

const WRITERS = 16;

type Service = Pick<TestApp, "call">;

/** Runs a test on one service, and on two that share a database. */
async function onServices(test: (services: readonly Service[]) => Promise<void>): Promise<void> {
  await withFaithfulApp((app) => test([app]));
  await withFaithfulApp(async (first) => {
    const store = await openStore(`${first.folder}/recto.db`);
    await withApp(async (app) => {
      const token = await first.mint();
      const { call } = faithful(app);
      await test([first, { call: (route, options) => call(route, { token, ...options }) }]);
    }, { store, environment: { RECTO_DATA_DIR: first.folder } });
  });
}

/** Runs 16 concurrent writers, each on its service. */
function atOnce<T>(
  services: readonly Service[],
  work: (service: Service, writer: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(Array.from({ length: WRITERS }, (_, writer) => {
    const service = services[writer % services.length];
    assert(service !== undefined);
    return work(service, writer);
  }));
}

/** Retries on conflicts. */
async function insist(
  { call }: Service,
  route: string,
  body: object,
): Promise<Answer["json"]> {
  for (;;) {
    const answer = await call(route, { body });
    if (answer.status === 200) return answer.json;
    assert(answer.status === 409 || answer.status === 503, answer.text);
  }
}

interface Linked {
  readonly tasks: string;
  readonly projects: string;
  readonly mirror: string;
  readonly taskRows: readonly string[];
  readonly projectRows: readonly string[];
}

async function createLinked(app: Service): Promise<Linked> {
  const projects = await newDatabase(app);
  const tasks = await newDatabase(app, {
    Projects: { relation: { database_id: projects.id, dual_property: {} } },
  });
  const names = Object.fromEntries(Array.from({ length: 4 }, (_, index) => [`${index}`, {}]));
  return {
    tasks: tasks.id,
    projects: projects.id,
    mirror: tasks.properties.Projects.relation.dual_property.synced_property_name,
    taskRows: Object.values(await namedRows(app, tasks.id, names)),
    projectRows: Object.values(await namedRows(app, projects.id, names)),
  };
}

/** The links that rows show, as `row other`. */
async function linksOf(app: Service, rows: readonly string[], property: string) {
  const links = await Promise.all(rows.map(async (row) => {
    const shown = valuesOf(await succeed(app, `GET /v2/pages/${row}`))[property];
    assert(Array.isArray(shown));
    return shown.map(({ id }) => [row, id] as const);
  }));
  return links.flat();
}

Deno.test("concurrent writers of both sides of a relation leave both sides equal", () =>
  onServices(async (services) => {
    const [app] = services;
    assert(app !== undefined);
    const { taskRows, projectRows, mirror } = await createLinked(app);
    for (let round = 0; round < 5; round++) {
      await atOnce(services, (service, writer) => {
        const [mine, theirs] = writer % 2 === 0 ? [taskRows, projectRows] : [projectRows, taskRows];
        const property = writer % 2 === 0 ? "Projects" : mirror;
        const relation = theirs.filter((_, index) => (writer + round) >> index & 1)
          .map((id) => ({ id }));
        const row = mine[(writer >> 1) % mine.length];
        return insist(service, `PATCH /v2/pages/${row}`, {
          properties: { [property]: { relation } },
        });
      });
      for (const service of services) {
        const from = await linksOf(service, taskRows, "Projects");
        const to = await linksOf(service, projectRows, mirror);
        const reversed = to.map(([row, other]) => `${other} ${row}`).toSorted();
        assertEquals(from.map((link) => link.join(" ")).toSorted(), reversed);
      }
    }
  }));

Deno.test("a row that is deleted while others link to it is shown by none of them", () =>
  onServices(async (services) => {
    const [app] = services;
    assert(app !== undefined);
    const { tasks, projectRows } = await createLinked(app);
    for (const project of projectRows) {
      const [gone, answers] = await Promise.all([
        app.call(`DELETE /v2/pages/${project}`),
        atOnce(services, (service) =>
          service.call("POST /v2/pages", {
            body: {
              parent: { database_id: tasks },
              properties: { Projects: { relation: [{ id: project }] } },
            },
          })),
      ]);
      assertEquals(gone.status, 200);
      const made = answers.filter(({ status }) => status === 200);
      for (const { json } of answers.filter(({ status }) => status === 400)) {
        assertEquals(json.errors[0].pointer, "/properties/Projects/relation/0/id");
      }
      const rows = made.map(({ json }) => json.id);
      assertEquals(await linksOf(app, rows, "Projects"), []);
      await succeed(app, `PATCH /v2/pages/${project}`, { body: { in_trash: false } });
      assertEquals((await linksOf(app, rows, "Projects")).length, rows.length);
    }
  }));

Deno.test("options added concurrently by rows and schema edits are all stored once", () =>
  onServices(async (services) => {
    const [app] = services;
    assert(app !== undefined);
    const { id } = await newDatabase(app, { Kind: { select: {} } });
    const names = Array.from({ length: WRITERS / 2 }, (_, index) => `kind ${index}`);
    const rows = await atOnce(
      services,
      (service, writer) =>
        writer % 4 === 3
          ? insist(service, `PATCH /v2/databases/${id}`, {
            properties: { [`Property ${writer}`]: { number: {} } },
          })
          : insist(service, "POST /v2/pages", {
            parent: { database_id: id },
            properties: { Kind: { select: { name: names[writer >> 1] } } },
          }),
    );
    const { properties } = await succeed(app, `GET /v2/databases/${id}`);
    const options: readonly { readonly name: string }[] = properties.Kind.select.options;
    assertEquals(options.map(({ name }) => name).toSorted(), names.toSorted());
    for (const writer of [3, 7, 11, 15]) assert(`Property ${writer}` in properties);
    const made = rows.filter(({ object }) => object === "page");
    for (const row of made) {
      const filter = { property: "Kind", select: { equals: row.properties.Kind.select.name } };
      const { results } = await succeed(app, `POST /v2/databases/${id}/query`, {
        body: { filter },
      });
      assert(results.some((found: { id: string }) => found.id === row.id));
    }
  }));

Deno.test("rows written while their schema changes follow the new schema", () =>
  withFaithfulApp((app) =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat(30), { minLength: 4, maxLength: 4 }), async (turns) => {
        const { id } = await newDatabase(app, { Count: { number: {} }, Gone: { rich_text: {} } });
        const { first = "" } = await namedRows(app, id, { first: { Count: { number: 1 } } });
        const wait = async (count = 0) => {
          for (let turn = 0; turn < count; turn++) await Promise.resolve();
        };
        const change = { Count: { rich_text: {} }, Gone: null, No: { unique_id: {} } };
        await Promise.all([
          wait(turns[0]).then(() =>
            succeed(app, `PATCH /v2/databases/${id}`, { body: { properties: change } })
          ),
          wait(turns[1]).then(() => newRow(app, id, { Name: titled("second") })),
          wait(turns[2]).then(() =>
            app.call(`PATCH /v2/pages/${first}`, { body: { properties: { Count: { number: 2 } } } })
          ),
          wait(turns[3]).then(() => newRow(app, id, { Name: titled("third") })),
        ]);
        const list = await succeed(app, `POST /v2/databases/${id}/query`);
        const numbers = list.results.map((row: Answer["json"]) =>
          row.properties.No.unique_id.number
        );
        assertEquals(numbers.toSorted(), [1, 2, 3]);
        const [text] = list.results.flatMap((row: Answer["json"]) =>
          row.properties.Count.rich_text.map((item: { plain_text: string }) => item.plain_text)
        );
        assert(text === "1" || text === "2");
        const filter = { property: "Count", rich_text: { equals: text } };
        assertEquals(await query(app, id, { filter }), ["first"]);
      }),
      { numRuns: 30 },
    )
  ));
