/**
 * Writes groups of nodes until `kill_test.ts` kills it, and prints the name of each committed
 * group.
 *
 * @module
 */
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { groupOf } from "./kill_groups.ts";

const [path = "", round = ""] = Deno.args;
const store = openSqliteStore(path);
const encoder = new TextEncoder();

/** Commits that share one sync to the disk. */
const TOGETHER = 4;

async function writeNext(name: string): Promise<void> {
  const outcome = await store.commit("w", groupOf(name));
  if (outcome !== "committed") throw new Error(`Group ${name} was refused`);
  Deno.stdout.writeSync(encoder.encode(`${name}\n`));
}

for (let number = 0;; number += TOGETHER) {
  const names = Array.from({ length: TOGETHER }, (_, at) => `${round}-${number + at}`);
  await Promise.all(names.map(writeNext));
}
