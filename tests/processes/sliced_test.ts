import { DatabaseSync } from "node:sqlite";
import { newDatabase } from "../api/database_driver.ts";
import { newPage } from "../api/driver.ts";
import { assert, assertEquals } from "../assert.ts";
import type { Change } from "../../src/content/schema/node.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { page } from "../store/samples.ts";
import { rowsOf } from "../store/sqlite/files.ts";
import { callOnce, type GroupProcess, withProcesses } from "./service.ts";
import { callerOf, rest } from "./writers.ts";

const ROWS = 12_000;
const VALUES = JSON.stringify({ cover: null, icon: null, values: {} });

/** Creates a database with so many rows that a change of all is made in slices. */
async function largeDatabase(service: GroupProcess): Promise<string> {
  const { id } = await newDatabase(callerOf(service));
  const path = `${service.folder}/.data/recto.db`;
  const [row] = rowsOf(path, "SELECT workspace_id, id FROM nodes WHERE kind = 'database'");
  const { workspace_id: workspace, id: parentId } = row ?? {};
  assert(typeof workspace === "string" && typeof parentId === "string");
  // Rows by the API would take minutes.
  const store = openSqliteStore(path);
  for (let first = 0; first < ROWS; first += 2_000) {
    const rows = Array.from({ length: 2_000 }, (_, index): Change => ({
      op: "insert",
      node: page(crypto.randomUUID(), {
        parentKind: "database",
        parentId,
        containerId: parentId,
        position: `m${String(first + index).padStart(6, "0")}`,
        doc: VALUES,
      }),
    }));
    assertEquals(await store.commit(workspace, rows), "committed");
  }
  await store.close();
  return id;
}

/** The number of rows that one process shows, and how many of them have the new property. */
async function shownBy(service: GroupProcess, id: string): Promise<string> {
  const route = `POST /v2/databases/${id}/query`;
  const { status, text } = await callOnce(service, route, { body: { page_size: 100 } });
  if (status === 503) return REFUSED;
  assertEquals(status, 200, text);
  const { results } = JSON.parse(text) as { results: Row[] };
  const shown = results.flatMap(({ properties }) => properties.Number ?? []);
  const numbered = shown.filter(({ unique_id: { number } }) => number !== null);
  return `${results.length} rows, ${shown.length} with the property, ${numbered.length} numbered`;
}

interface Row {
  readonly properties: {
    readonly Number?: { readonly unique_id: { readonly number: number | null } };
  };
}

const REFUSED = "a 503";
const BEFORE = "100 rows, 0 with the property, 0 numbered";
const AFTER = "100 rows, 100 with the property, 100 numbered";

/** Gives all rows a number. Behind another write, which makes the slices short and many. */
async function addNumber(service: GroupProcess, id: string) {
  await newPage(callerOf(service));
  const body = { properties: { Number: { unique_id: {} } } };
  return await callOnce(service, `PATCH /v2/databases/${id}`, { body });
}

/** The number of changes that are begun and not finished. */
function unfinished(service: GroupProcess): number {
  return rowsOf(`${service.folder}/.data/recto.db`, "SELECT * FROM sliced_positions").length;
}

/** Resolves once so many changes are begun and not finished. */
async function untilUnfinished(service: GroupProcess, count: number): Promise<void> {
  for (let turns = 0; unfinished(service) !== count; turns++) {
    assert(turns < 5_000, `${unfinished(service)} are unfinished`);
    await rest(1);
  }
}

/** Resolves once all processes show this: if nobody was left to be answered, a little later. */
async function untilAllShow(service: GroupProcess, id: string, wanted: string): Promise<void> {
  for (let times = 0, reads = 0; times < 12; reads++) {
    assert(reads < 400, `all processes show ${wanted}`);
    times = await shownBy(service, id) === wanted ? times + 1 : 0;
  }
}

/** Takes the lock of writers, so that no further slice can be made. */
function lockBetweenSlices(path: string): DatabaseSync {
  // SQLite itself would sleep for longer than the pause between two slices.
  const lock = new DatabaseSync(path, { timeout: 0 });
  for (const end = performance.now() + 10_000;;) {
    try {
      lock.exec("BEGIN IMMEDIATE");
      return lock;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

Deno.test("a change in slices is seen as a whole in all processes", () =>
  withProcesses(async (service) => {
    const id = await largeDatabase(service);
    const seen: string[] = [];
    let inSlices = false;
    let status: number | undefined;
    const changing = addNumber(service, id).then((answer) => status = answer.status);
    const reader = async () => {
      while (status === undefined) {
        const shown = await shownBy(service, id);
        inSlices ||= unfinished(service) > 0;
        // A process shows the change no later than it is answered.
        if (status === undefined) seen.push(shown);
      }
    };
    await Promise.all([changing, ...Array.from({ length: 4 }, reader)]);
    assertEquals([status, inSlices, seen.includes(BEFORE)], [200, true, true]);
    assertEquals(seen.filter((one) => one !== BEFORE && one !== AFTER), []);
    for (let times = 0; times < 12; times++) assertEquals(await shownBy(service, id), AFTER);
    assertEquals(unfinished(service), 0);
  }, { processes: 3 }));

Deno.test("a change whose primary is killed between two slices is finished by the next primary", () =>
  withProcesses(async (service) => {
    const id = await largeDatabase(service);
    const changing = addNumber(service, id).catch(() => undefined);
    await untilUnfinished(service, 1);
    const replaced = service.event("All processes serve again");
    Deno.kill(service.primary(), "SIGKILL");
    // The others do not see half of it; a connection may still be given to the one that was killed.
    const shown = await shownBy(service, id).catch(() => BEFORE);
    assert([BEFORE, AFTER].includes(shown), shown);
    await replaced;
    await changing;
    const seen = new Set<string>();
    for (let reads = 0; unfinished(service) > 0; reads++) {
      assert(reads < 5_000, "the next primary finishes the change");
      seen.add(await shownBy(service, id));
    }
    await untilAllShow(service, id, AFTER);
    assertEquals([...seen.difference(new Set([BEFORE, AFTER, REFUSED]))], []);
    const { status } = await callOnce(service, "PATCH /v2/databases/" + id, {
      body: { title: [{ type: "text", text: { content: "Later" } }] },
    });
    assertEquals(status, 200);
  }, { processes: 3 }));

Deno.test("a change that the next primary cannot finish is shown by no process", () =>
  withProcesses(async (service) => {
    const id = await largeDatabase(service);
    const changing = addNumber(service, id).catch(() => undefined);
    await untilUnfinished(service, 1);
    const lock = lockBetweenSlices(`${service.folder}/.data/recto.db`);
    assertEquals(unfinished(service), 1);
    const primaryReplaced = service.event("All processes serve again");
    Deno.kill(service.primary(), "SIGKILL");
    lock.exec("UPDATE sliced_commits SET changes = 'damaged'");
    lock.exec("COMMIT");
    lock.close();
    await primaryReplaced;
    await changing;
    const otherReplaced = service.event("All processes serve again");
    Deno.kill(service.members().find((pid) => pid !== service.primary()) ?? 0, "SIGKILL");
    await otherReplaced;
    const shown = new Set<string>();
    for (let times = 0; times < 40; times++) shown.add(await shownBy(service, id));
    assertEquals([...shown].sort(), [BEFORE, REFUSED]);
  }, { processes: 3 }));

Deno.test("a process that starts during a change refuses to show what it cannot know, until the end", () =>
  withProcesses(async (service) => {
    const id = await largeDatabase(service);
    // The process that passes it on may be the one that is killed.
    const changing = addNumber(service, id).catch(() => undefined);
    await untilUnfinished(service, 1);
    const lock = lockBetweenSlices(`${service.folder}/.data/recto.db`);
    try {
      assertEquals(unfinished(service), 1);
      const replaced = service.event("All processes serve again");
      Deno.kill(service.members().find((pid) => pid !== service.primary()) ?? 0, "SIGKILL");
      await replaced;
      const shown = new Set<string>();
      for (let times = 0; times < 40; times++) shown.add(await shownBy(service, id));
      assertEquals([...shown].sort(), [BEFORE, REFUSED]);
    } finally {
      lock.exec("ROLLBACK");
      lock.close();
    }
    await changing;
    await untilUnfinished(service, 0);
    await untilAllShow(service, id, AFTER);
  }, { processes: 3 }));
