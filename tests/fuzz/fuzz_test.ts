/**
 * The short form of `deno task fuzz`.
 *
 * @module
 */
import { assert, assertEquals } from "../assert.ts";
import { fuzz } from "./fuzz.ts";

const COUNT = 1_000;

for (const seed of [1, 20_261_122]) {
  Deno.test(`${COUNT} requests drawn from the document (seed ${seed}) are answered as it says`, async () => {
    const { counts, deviations } = await fuzz({ count: COUNT, seed });
    assertEquals(deviations, []);
    const all = [...counts.values()].flatMap((statuses) => [...statuses]);
    const done = all.reduce((sum, [status, n]) => sum + (status === 200 ? n : 0), 0);
    assert(done > COUNT / 4, `Only ${done} were answered with 200, so that little is tried`);
    const tried = [...counts].filter(([, statuses]) => statuses.has(200)).map(([route]) => route);
    assert(tried.length >= 22, `Only these ever succeed: ${tried}`);
  });
}

const NOTION_COUNT = 500;

Deno.test(`${NOTION_COUNT} requests of /v1, in all versions, are answered in the vendor's form`, async () => {
  const { counts, deviations } = await fuzz({ api: "v1", count: NOTION_COUNT, seed: 1 });
  assertEquals(deviations, []);
  const tried = [...counts].filter(([, statuses]) => statuses.has(200)).map(([route]) => route);
  assert(tried.length >= 22, `Only these ever succeed: ${tried}`);
});
