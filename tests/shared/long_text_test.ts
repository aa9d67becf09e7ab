import fc from "fast-check";
import { listText, withMember } from "../../src/shared/json_text.ts";
import {
  collect,
  evenPieces,
  gather,
  joinTexts,
  LongText,
  mapTexts,
  piecesOf,
  type Text,
  textOf,
} from "../../src/shared/long_text.ts";
import { createRest } from "../../src/shared/yield_to_event_loop.ts";
import { assert, assertEquals } from "../assert.ts";

/** A text in up to eight pieces. */
const texts = fc.array(fc.string(), { minLength: 1, maxLength: 8 }).map(textOf);

/** A text divided at some places. */
function divided(text: string, cuts: readonly number[]): Text {
  const places = [...new Set(cuts.map((cut) => cut % text.length))].sort((a, b) => a - b);
  const starts = [0, ...places.filter((place) => place > 0)];
  return textOf(starts.map((start, index) => text.slice(start, starts[index + 1])));
}

const cuts = fc.array(fc.nat(), { maxLength: 4 });

Deno.test("a text in pieces has the length and the characters of all of them", () => {
  fc.assert(fc.property(texts, (text) => {
    assertEquals(String(text), piecesOf(text).join(""));
    assertEquals(text.length, String(text).length);
  }));
});

Deno.test("gather() joins short parts, and divides what is longer", async () => {
  const rest = createRest();
  assertEquals(await gather(["a", "", "b"], rest), "ab");
  assertEquals(await gather([], rest), "");
  const parts = Array.from({ length: 100 }, (_, n) => String(n % 10).repeat(9_999));
  const long = await gather(parts, rest);
  assert(long instanceof LongText);
  assertEquals(String(long), parts.join(""));
  const lengths = long.pieces.map(({ length }) => length);
  assert(Math.max(...lengths) < 120_000 && lengths.length === 10, String(lengths));
});

Deno.test("mapTexts() changes every piece, and collect() looks into every piece", async () => {
  const twice = (piece: string) => piece + piece;
  await fc.assert(fc.asyncProperty(fc.array(texts), async (some) => {
    const changed = await mapTexts(some, twice, createRest());
    assertEquals(changed.map(piecesOf), some.map((text) => piecesOf(text).map(twice)));
    assertEquals(changed.map((text) => typeof text), some.map((text) => typeof text));
    const found = await collect(some, (piece) => [piece], createRest());
    assertEquals(found, new Set(some.flatMap(piecesOf)));
  }));
});

Deno.test("joined texts are one text, in pieces only if one of them is or all are long", () => {
  fc.assert(fc.property(fc.array(texts), (parts) => {
    const joined = joinTexts(parts);
    assertEquals(String(joined), parts.map(String).join(""));
    assertEquals(joined instanceof LongText, parts.some((part) => part instanceof LongText));
  }));
  const parts = ["x".repeat(60_000), "y".repeat(60_000)];
  const long = joinTexts(parts);
  assert(long instanceof LongText);
  assertEquals(long.pieces, parts);
});

Deno.test("evenPieces() joins short pieces and divides long ones, without a change of the text", () => {
  const some = fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.nat(40_000)), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(some, (parts) => {
      const pieces = parts.map(([text, times]) => text.repeat(times));
      const even = [...evenPieces(pieces)];
      assertEquals(even.join(""), pieces.join(""));
      assert(even.every((piece) => piece.isWellFormed()));
      const lengths = even.map(({ length }) => length);
      assert(lengths.every((length) => length > 0 && length <= 200_001), String(lengths));
      assert(lengths.slice(0, -1).every((length) => length >= 100_000), String(lengths));
    }),
    { numRuns: 50 },
  );
});

Deno.test("lists and members of long JSON texts are what JSON.stringify() writes", () => {
  fc.assert(fc.property(fc.array(fc.tuple(fc.jsonValue(), cuts)), (values) => {
    const written = listText(values.map(([value, at]) => divided(JSON.stringify(value), at)));
    assertEquals(String(written), JSON.stringify(values.map(([value]) => value)));
  }));
  const object = fc.record({ id: fc.string(), value: fc.jsonValue() });
  fc.assert(fc.property(object, fc.jsonValue(), cuts, (members, match, at) => {
    const written = withMember(
      divided(JSON.stringify(members), at),
      "match",
      divided(JSON.stringify(match), at),
    );
    assertEquals(String(written), JSON.stringify({ ...members, match }));
  }));
});
