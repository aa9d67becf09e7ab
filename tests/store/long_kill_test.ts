import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { assert, assertEquals } from "../assert.ts";
import { D } from "./row_samples.ts";
import { openFinished, rowsOf, withFile } from "./sqlite/files.ts";
import { manyRows } from "./sqlite/long_changes.ts";

const WRITER = fileURLToPath(new URL("./long_writer.ts", import.meta.url));
const ROWS = 2_000;
const SEARCH = "SELECT count(*) AS rows FROM search_parts WHERE page_id LIKE 'row %'";

/** Starts the change, kills its process once it has printed this, and returns its output. */
async function killedAt(word: string, path: string, args: readonly string[]): Promise<string> {
  const folder = dirname(path);
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--no-check", `--allow-read=${folder},src`],
      ...[`--allow-write=${folder}`, WRITER, path, ...args],
    ],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let printed = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    printed += text;
    if (printed.includes(word)) {
      try {
        child.kill("SIGKILL");
      } catch (error) {
        // It had already ended.
        if (!(error instanceof TypeError) && !(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
  }
  await child.status;
  return printed;
}

/** Reopens the file and returns its rows by state, and their search entries. */
async function stateIn(path: string): Promise<unknown> {
  await (await openFinished(path)).close();
  assertEquals(rowsOf(path, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
  const nodes = `SELECT version, trash_root, doc LIKE '%"n":%' AS numbered, count(*) AS rows
    FROM nodes WHERE parent_id = '${D}' GROUP BY 1, 2, 3`;
  return JSON.stringify([rowsOf(path, nodes), rowsOf(path, SEARCH)]);
}

const state = (version: number, root: string | null, numbered: number) =>
  JSON.stringify([
    [{ version, trash_root: root, numbered, rows: ROWS }],
    [{ rows: ROWS }],
  ]);
const BEFORE = state(1, null, 0);

const CASES = [
  [["reshape"], state(2, null, 1)],
  [["trash"], state(2, D, 0)],
  [["reshape", "in slices"], state(2, null, 1)],
  [["trash", "in slices"], state(2, D, 0)],
] as const;

for (const [args, after] of CASES) {
  Deno.test(`a ${args.join(" ")} of many rows that is killed is there as a whole, or not at all`, () =>
    withFile(async (path) => {
      const store = openSqliteStore(path);
      await store.commit("w", manyRows(ROWS));
      await store.close();
      const printed = await killedAt("begun", path, args);
      const left = await stateIn(path);
      // The kill may come late; then the completed change must be there.
      assert(
        left === after || (left === BEFORE && !printed.includes("done")),
        `${printed} ${left}`,
      );
      if (left === BEFORE) await killedAt("done", path, args);
      assertEquals(await stateIn(path), after);
    }));
}
