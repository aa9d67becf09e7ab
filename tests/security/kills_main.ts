/**
 * `deno task kills [rounds]`: kills the service 100 times under load, and tells how many writes it
 * had acknowledged; throws where one is lost, doubled or torn.
 *
 * @module
 */
import { assertEquals } from "../assert.ts";
import { rowsOf } from "../store/sqlite/files.ts";
import { killAgainAndAgain } from "./kills.ts";
import { withFolder } from "../support/folders.ts";

const rounds = Number(Deno.args[0] ?? 100);
if (!Number.isInteger(rounds) || rounds < 1) {
  throw new Error("The rounds are a whole number from 1");
}
// deno-lint-ignore no-console -- a task prints
const print = (line: string) => console.log(line);

await withFolder(async (folder) => {
  const signals = Array.from({ length: rounds }, () => "SIGKILL" as const);
  const { acknowledged, repeated } = await killAgainAndAgain({
    folder,
    signals,
    progress: (round) => {
      if (round % 10 === 0) print(`${round} kills`);
    },
  });
  assertEquals(rowsOf(`${folder}/recto.db`, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
  print(`${rounds} kills, ${acknowledged} writes acknowledged, ${repeated} sent again: none lost,`);
  print("none doubled, none torn; the file is whole");
});
