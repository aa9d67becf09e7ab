import { assertEquals, assertRejects } from "../assert.ts";
import { readTogether } from "../../src/api/shared/read_together.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { insert, page } from "../store/samples.ts";

Deno.test("versions that are asked for in one turn after the first are read by one statement for each workspace", async () => {
  const store = openSqliteStore(":memory:");
  for (const workspace of ["w", "v"]) {
    const nodes = [page("p", { version: 2 }), page("q", { version: 3, position: "a1" })];
    await store.commit(workspace, insert(...nodes));
  }
  const asked: string[][] = [];
  const versions = readTogether((workspace, ids) => {
    asked.push([workspace, ...ids]);
    return store.versions(workspace, ids);
  });
  const answers = await Promise.all([
    versions("w", ["p"]),
    versions("w", ["p"]),
    versions("v", ["p"]),
    Promise.resolve().then(() => versions("w", ["q", "p", "unknown"])),
  ]);
  assertEquals(asked, [["w", "p"], ["w", "p", "q", "unknown"], ["v", "p"]]);
  assertEquals(answers.map((found) => [found.get("p"), found.get("q"), found.get("unknown")]), [
    [2, undefined, undefined],
    [2, 3, undefined],
    [2, undefined, undefined],
    [2, 3, undefined],
  ]);
  await versions("w", ["q"]);
  assertEquals(asked.slice(3), [["w", "q"]]);
  await store.close();
});

Deno.test("all who asked for versions learn of a failure, and the next one asks again", async () => {
  let isBroken = true;
  const versions = readTogether(() =>
    isBroken ? Promise.reject(new Error("broken")) : Promise.resolve(new Map([["p", 1]]))
  );
  const asking = ["p", "q", "r"].map((id) => versions("w", [id]));
  for (const one of asking) await assertRejects(() => one, Error, "broken");
  isBroken = false;
  assertEquals((await versions("w", ["p"])).get("p"), 1);
});

Deno.test("very many IDs of one turn are read a thousand at once", async () => {
  const lengths: number[] = [];
  const read = readTogether((_workspace, ids) => {
    lengths.push(ids.length);
    return Promise.resolve(new Map(ids.map((id) => [id, id])));
  });
  const ids = Array.from({ length: 2_500 }, (_, n) => `${n}`);
  const [, found] = await Promise.all([read("w", ["first"]), read("w", ids)]);
  assertEquals(lengths, [1, 1_000, 1_000, 500]);
  assertEquals([...found.keys()], ids);
});
