import fc from "fast-check";
import { generateKeyBetween } from "fractional-indexing";
import { type Gap, positionsIn } from "../../src/content/values/position.ts";
import { assert, assertEquals } from "../assert.ts";

/** Inserts at an index of a list of positions. */
function insert(all: string[], index: number, count = 1): void {
  const gap: Gap = { after: all[index - 1] ?? null, before: all[index] ?? null };
  all.splice(index, 0, ...positionsIn(gap, count));
}

function longest(all: readonly string[]): number {
  return Math.max(...all.map(({ length }) => length));
}

function assertOrdered(all: readonly string[]): void {
  for (const [index, position] of all.entries()) {
    // Throws if the position is not valid.
    generateKeyBetween(position, null);
    const before = all[index - 1];
    assert(before === undefined || before < position, `${before} is before ${position}`);
  }
}

Deno.test("positions are new and in order, wherever and however many are inserted", () => {
  const place = fc.record({
    index: fc.nat({ max: 40 }),
    count: fc.integer({ min: 1, max: 5 }),
    times: fc.constantFrom(1, 1, 3, 80),
  });
  fc.assert(fc.property(fc.array(place, { maxLength: 25 }), (places) => {
    const all: string[] = [];
    for (const { index, count, times } of places) {
      for (let n = 0; n < times; n++) insert(all, Math.min(index, all.length), count);
    }
    assertOrdered(all);
  }));
});

Deno.test("10,000 inserts at one place take positions of a few characters", () => {
  const one = (next: (n: number) => number): number => {
    const all = positionsIn({ after: null, before: null }, 3);
    for (let n = 0; n < 10_000; n++) insert(all, next(n));
    assertOrdered(all);
    return longest(all);
  };
  assertEquals({
    "after the same sibling": one(() => 1) <= 12,
    "after the last insert": one((n) => n + 1) <= 12,
    "before the same sibling": one((n) => n + 2) <= 12,
    "on both sides of a sibling": one((n) => n % 2 === 0 ? 1 : 2 + (n >> 1)) <= 12,
  }, {
    "after the same sibling": true,
    "after the last insert": true,
    "before the same sibling": true,
    "on both sides of a sibling": true,
  });
});

Deno.test("inserts at random places take positions of about as many characters", () => {
  const all = positionsIn({ after: null, before: null }, 2);
  for (let n = 1; n < 10_000; n++) insert(all, (n * 7919) % all.length + 1 - Number(n % 2));
  assertOrdered(all);
  assert(longest(all) <= 24, String(longest(all)));
});
