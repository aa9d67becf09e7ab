/**
 * `deno task soak:processes [seconds]`: lets clients write and read while processes of the service are
 * killed one after the other and the policy changes; throws if an acknowledged write is lost or
 * doubled, or if two processes follow different policies for longer than a second.
 *
 * @module
 */
import { assert, assertEquals } from "../assert.ts";
import { childrenOf, newPage, textsOf } from "../api/driver.ts";
import { policyText } from "../policy_runtime/support.ts";
import { rowsOf } from "../store/sqlite/files.ts";
import { callOnce, type GroupProcess, withProcesses, writePolicy } from "./service.ts";
import { callerOf, rest, startWriters } from "./writers.ts";

const [seconds = "60"] = Deno.args;
const time = Number(seconds) * 1_000;
if (!(time > 0)) throw new Error("The seconds are a number");
/** Blocks of a page, beyond which the next page is written. */
const BLOCKS = 4_000;
// deno-lint-ignore no-console -- a task prints
const print = (line: string) => console.log(line);

await withProcesses(async (service) => {
  const end = performance.now() + time;
  const reads = countReads(service, end);
  const sums = { written: 0, kills: 0, policies: 0, slowest: 0 };
  while (performance.now() < end) {
    const page = await newPage(callerOf(service));
    const writers = startWriters(service, page);
    for (let written = 0; performance.now() < end && written < BLOCKS; written += 100) {
      await writers.more(100);
      await killOne(service, sums.kills++);
      sums.slowest = Math.max(sums.slowest, await changePolicy(service, sums.policies++));
    }
    const written = await writers.stop();
    const stored = textsOf(await childrenOf(callerOf(service), page));
    assertEquals(stored.toSorted(), [...written].toSorted());
    sums.written += written.length;
    print(`${sums.written} writes, ${sums.kills} kills, ${sums.policies} policies`);
  }
  const { answered, broken } = await reads;
  const path = `${service.folder}/.data/recto.db`;
  assertEquals(rowsOf(path, "PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
  print(`${sums.written} writes acknowledged: none lost, none doubled; ${sums.kills} kills`);
  print(`${sums.policies} policies, each in all processes within ${sums.slowest} ms of the first`);
  print(`${answered} reads answered, ${broken} broke off with the process that had them`);
});

/** Kills the primary and the others in turns, and waits for the replacement. */
async function killOne(service: GroupProcess, turn: number): Promise<void> {
  const others = service.members().filter((pid) => pid !== service.primary());
  const pid = turn % 3 === 0 ? service.primary() : others[turn % others.length];
  const replaced = service.event("All processes serve again");
  Deno.kill(pid ?? 0, "SIGKILL");
  await replaced;
}

/** Opens and closes a route; returns the milliseconds in which all processes followed. */
async function changePolicy(service: GroupProcess, turn: number): Promise<number> {
  const active = service.event("Policy is active in all processes");
  const isOpen = turn % 2 === 1;
  await writePolicy(
    service.folder,
    policyText(({ routes }) => {
      if (!isOpen) routes["GET /v2/openapi.json"] = ["search.read"];
    }),
  );
  const ms = Number((await active).ms);
  const statuses = await Promise.all(Array.from({ length: 24 }, async () => {
    return (await callOnce({ ...service, headers: {} }, "GET /v2/openapi.json")).status;
  }));
  assertEquals(new Set(statuses), new Set([isOpen ? 200 : 401]));
  assert(ms < 1_000, `${ms} ms`);
  return ms;
}

/** Reads until the end; every answer is a success. */
async function countReads(service: GroupProcess, end: number) {
  const counts = { answered: 0, broken: 0 };
  const reader = async () => {
    while (performance.now() < end) {
      try {
        const { status } = await callOnce(service, "GET /v2/users/me");
        assertEquals(status, 200);
        counts.answered++;
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        counts.broken++;
      }
      await rest(5);
    }
  };
  await Promise.all(Array.from({ length: 4 }, reader));
  return counts;
}
