import { BLOCK, createRowLists } from "../../../src/search/vectors/row_lists.ts";
import { assert, assertEquals } from "../../assert.ts";

Deno.test("lists never share a row, and reuse the blocks of others", () => {
  const lists = createRowLists();
  const [first, second] = [lists.create(), lists.create()];
  const rows = Array.from({ length: 3 * BLOCK }, () => [first.append(), second.append()]).flat();
  assertEquals(new Set(rows).size, 6 * BLOCK);
  const left = Array.from({ length: 3 * BLOCK }, () => first.dropLast());
  assertEquals(first.length, 0);
  const again = Array.from({ length: 3 * BLOCK }, () => second.append());
  assertEquals(new Set(again), new Set(left));
  assert(again.every((row) => lists.listOf(row) === second));
});

Deno.test("rows of a block are consecutive", () => {
  const lists = createRowLists();
  const [first, second] = [lists.create(), lists.create()];
  for (let i = 0; i < 5 * BLOCK; i++) [first, second].forEach(({ append }) => append());
  for (let index = 0; index < first.length; index++) {
    const start = index - index % BLOCK;
    assertEquals(first.row(index), first.row(start) + index - start);
  }
});
