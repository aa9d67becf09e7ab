import fc from "fast-check";
import { textPieces } from "../../src/shared/text_pieces.ts";
import { assert, assertEquals } from "../assert.ts";

Deno.test("textPieces() divides a text into short pieces, and no character", () => {
  const parts = fc.array(fc.constantFrom("x", "ä", "😀", "\n"), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(parts, (parts) => {
      const text = parts.join("").repeat(70_000);
      const pieces = [...textPieces(text)];
      assertEquals(pieces.join("") === text, true);
      assert(pieces.every((piece) => piece.isWellFormed() && piece.length <= 100_001));
    }),
    { numRuns: 20 },
  );
  assertEquals([...textPieces("")], []);
});
