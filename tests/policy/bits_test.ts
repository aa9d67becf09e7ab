import { covers, createBits } from "../../src/policy/bits.ts";
import { assert, assertEquals } from "../assert.ts";

const NAMES = Array.from({ length: 63 }, (_, index) => `n${String(index).padStart(2, "0")}`);

Deno.test("covers() tells every name from every other, across words", () => {
  const bits = createBits(NAMES);
  for (const held of NAMES) {
    for (const needed of NAMES) {
      assertEquals(covers(bits.mask([held]), bits.mask([needed])), held === needed);
    }
  }
});

Deno.test("covers() holds the empty mask in any other", () => {
  const bits = createBits([]);
  assert(covers(bits.mask([]), bits.mask([])));
});

Deno.test("mask() leaves unknown names out", () => {
  const bits = createBits(["a"]);
  assertEquals(bits.mask(["b", "toString"]), [0]);
  assertEquals(bits.mask(["a", "b"]), [1]);
});

Deno.test("lacking() names what is not held, in alphabetical order", () => {
  const bits = createBits([...NAMES].reverse());
  const needed = bits.mask(["n62", "n31", "n30", "n00"]);
  assertEquals(bits.lacking(needed, bits.mask(["n30"])), ["n00", "n31", "n62"]);
  assertEquals(bits.lacking(needed, needed), []);
});
