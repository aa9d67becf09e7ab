import fc from "fast-check";
import { AppError } from "../../src/shared/errors.ts";
import { createCursors } from "../../src/http/cursor.ts";
import { assert, assertEquals, assertThrows } from "../assert.ts";

const cursors = createCursors(new Uint8Array(32).fill(7));
const text = fc.string({ unit: "grapheme", maxLength: 60 });

Deno.test("open() returns the position that seal() encrypted for the same list", () => {
  fc.assert(fc.property(text, text, (place, list) => {
    assertEquals(cursors.open(cursors.seal(place, list), list), place);
  }));
});

Deno.test("open() rejects the cursor of another list, and names start_cursor", () => {
  fc.assert(fc.property(text, text, text, (place, list, other) => {
    fc.pre(list !== other);
    const error = assertThrows(() => cursors.open(cursors.seal(place, list), other), AppError);
    assertEquals(error.code, "validation_error");
    assert(error.message.includes("start_cursor"));
  }));
});

Deno.test("open() rejects a cursor with any one character changed, removed or added", () => {
  const cursor = cursors.seal("a0V", "children w p");
  for (let i = 0; i < cursor.length; i++) {
    const other = cursor[i] === "A" ? "B" : "A";
    const changed = cursor.slice(0, i) + other + cursor.slice(i + 1);
    assertThrows(() => cursors.open(changed, "children w p"), AppError);
    assertThrows(() => cursors.open(cursor.slice(0, i), "children w p"), AppError);
  }
  assertThrows(() => cursors.open(`${cursor}A`, "children w p"), AppError);
  assertThrows(() => cursors.open("x".repeat(10_000), "children w p"), AppError);
});

Deno.test("open() rejects the cursor of another service", () => {
  const other = createCursors(new Uint8Array(32).fill(8));
  assertThrows(() => cursors.open(other.seal("a", "l"), "l"), AppError);
});

Deno.test("seal() reveals nothing of the position", () => {
  const place = "11111111-1111-4111-8111-111111111111";
  assert(
    !atob(cursors.seal(place, "l").replaceAll("-", "+").replaceAll("_", "/")).includes("1111"),
  );
});

Deno.test("seal() makes one cursor for a position in a list, and another for another", () => {
  const [cursor, ...others] = [["a", "l"], ["a", "m"], ["al", ""], ["", "al"]].map((
    [place = "", list = ""],
  ) => cursors.seal(place, list));
  assertEquals(cursors.seal("a", "l"), cursor);
  assertEquals(new Set([cursor, ...others]).size, 4);
  assertEquals(cursors.open(cursors.seal("", "al"), "al"), "");
});
