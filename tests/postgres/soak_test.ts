import { assertEquals } from "../assert.ts";
import { soak } from "./soak/soak.ts";
import { WORKS } from "./soak/work.ts";

const PIECES = 2_000;

Deno.test("four processes lose, double and tear nothing while their database crashes", async () => {
  const { done, issues } = await soak({
    isHalfway: (pieces) => pieces > PIECES / 2,
    isOver: (pieces) => pieces > PIECES,
  });
  assertEquals(issues, []);
  assertEquals([...done.keys()].toSorted(), [...new Set(WORKS.map(([name]) => name))].toSorted());
});
