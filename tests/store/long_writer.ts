/**
 * Starts a long change and prints that it did; `long_kill_test.ts` kills it halfway.
 *
 * @module
 */
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { LONG_CHANGES } from "./sqlite/long_changes.ts";

const [path = "", name = "", slices = ""] = Deno.args;
const changes = LONG_CHANGES[name as keyof typeof LONG_CHANGES]; // as the test names it
// In slices, each step is one.
const store = openSqliteStore(path, slices === "" ? {} : { slices: { patience: -1, time: -1 } });
// Starts the writer thread first, so that the change does not wait for it.
await store.commit("elsewhere", [{ op: "unlink", relationId: "none" }]);
const committed = store.commit("w", changes);
say("begun");
await committed;
say("done");

function say(word: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${word}\n`));
}
