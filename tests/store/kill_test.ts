import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import type { Store } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";
import { idsOf } from "./kill_groups.ts";
import { rowsOf, withFile } from "./sqlite/files.ts";

const WRITER = fileURLToPath(new URL("./kill_writer.ts", import.meta.url));

/** Acknowledgements to wait for before the kill: few, and enough for a checkpoint. */
const ROUNDS = [1, 40, 300, 1_000];

/** Runs the writer until it has acknowledged this many groups, kills it, and returns its output. */
async function killedAfter(count: number, path: string): Promise<string[]> {
  const folder = dirname(path);
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...[
        "run",
        "--no-prompt",
        "--no-check",
        `--allow-read=${folder},src`,
        `--allow-write=${folder}`,
      ],
      ...[WRITER, path, `after${count}`],
    ],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let printed = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    printed += text;
    // Output between this and the kill counts, too: it was acknowledged.
    if (printed.split("\n").length > count) kill(child);
  }
  await child.status;
  return printed.split("\n").slice(0, -1);
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch (error) {
    // A second kill, while the last of its output is still being read.
    if (!(error instanceof TypeError) && !(error instanceof Deno.errors.NotFound)) throw error;
  }
}

async function assertKept(store: Store, groups: readonly string[]): Promise<void> {
  for (const group of groups) {
    const nodes = await Promise.all(idsOf(group).map((id) => store.node("w", id)));
    assertEquals(nodes.map((node) => node?.version), [2, 1, 1], group);
  }
}

/** Asserts that every group, acknowledged or not, exists with all of its nodes or none. */
function assertWhole(path: string): void {
  const ids = rowsOf(path, "SELECT id FROM nodes ORDER BY id").map(({ id }) => String(id));
  const groups = new Set(ids.map((id) => id.slice(0, id.lastIndexOf("-"))));
  assertEquals(ids, [...groups].flatMap(idsOf).sort());
}

Deno.test("commit() outlives a kill: what was acknowledged is there, and nothing is torn", async () => {
  await withFile(async (path) => {
    const acknowledged: string[] = [];
    for (const count of ROUNDS) {
      const groups = await killedAfter(count, path);
      assert(groups.length >= count, `The writer ended by itself after ${groups.length}`);
      acknowledged.push(...groups);
      const store = openSqliteStore(path);
      await assertKept(store, acknowledged);
      await store.close();
      assertEquals(rowsOf(path, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
      assertWhole(path);
    }
  });
});
