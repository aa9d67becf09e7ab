import fc from "fast-check";
import { didYouMean } from "../../src/shared/did_you_mean.ts";
import { anyInWords, inWords, matching } from "../../src/policy/lint/names.ts";
import { assertEquals } from "../assert.ts";

const letters = fc.constantFrom("a", "b", ".", "+");
const name = fc.array(letters, { maxLength: 6 }).map((list) => list.join(""));
const pattern = fc.array(fc.oneof(letters, fc.constant("*")), { maxLength: 6 })
  .map((list) => list.join(""));

/** Tries every length for every star. */
function slowMatch(pattern: string, name: string): boolean {
  if (pattern === "") return name === "";
  const [first, rest] = [pattern[0], pattern.slice(1)];
  if (first !== "*") return name[0] === first && slowMatch(rest, name.slice(1));
  return [...name, ""].some((_, length) => slowMatch(rest, name.slice(length)));
}

Deno.test("matching() treats * as any characters and everything else literally", () => {
  fc.assert(
    fc.property(pattern, fc.array(name), (pattern, names) => {
      assertEquals(matching(pattern, names), names.filter((name) => slowMatch(pattern, name)));
    }),
    { numRuns: 5_000 },
  );
});

Deno.test("didYouMean() suggests only similar names", () => {
  const scopes = ["pages.read", "pages.write", "blocks.read"];
  assertEquals(didYouMean("page.read", scopes), 'Did you mean "pages.read"?');
  assertEquals(didYouMean("pages.wriet", scopes), 'Did you mean "pages.write"?');
  assertEquals(didYouMean("nothing.at.all", scopes), undefined);
  assertEquals(didYouMean("x", []), undefined);
});

Deno.test("inWords() and anyInWords() describe tokens", () => {
  assertEquals(inWords([]), "no scope");
  assertEquals(anyInWords([["a", "b"], ["c"]]), "a + b, or c");
  assertEquals(anyInWords([]), "nobody");
  assertEquals(anyInWords([[]]), "everyone, without a token");
});
