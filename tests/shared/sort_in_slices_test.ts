import fc from "fast-check";
import { sortInSlices } from "../../src/shared/sort_in_slices.ts";
import { assert, assertEquals } from "../assert.ts";

const byNumber = ([a]: readonly number[], [b]: readonly number[]) => (a ?? 0) - (b ?? 0);

Deno.test("sorting in slices has the result of sorting at once, with equal items in their order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer(),
      async (length, different, seed) => {
        const items = Array.from(
          { length },
          (_, index) => [Math.abs(Math.imul(index + seed, 2_654_435_761)) % different, index],
        );
        assertEquals(await sortInSlices(items, byNumber), items.toSorted(byNumber));
      },
    ),
    { numRuns: 50 },
  );
});

Deno.test("no more than a slice of a long list is compared between two pauses", async () => {
  const items = Array.from({ length: 20_000 }, (_, index) => [(index * 7_919) % 20_000]);
  let [compared, most] = [0, 0];
  const compare = (a: readonly number[], b: readonly number[]) => {
    compared++;
    return byNumber(a, b);
  };
  const rest = () => {
    most = Math.max(most, compared);
    compared = 0;
    return undefined;
  };
  await sortInSlices(items, compare, rest);
  // What was compared after the last pause counts, too.
  rest();
  // A slice of a thousand is sorted with about ten comparisons for each.
  assert(most < 12_000, `${most} comparisons`);
});
