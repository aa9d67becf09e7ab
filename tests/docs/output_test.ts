import { assertEquals } from "../assert.ts";
import { isShown } from "./output.ts";

/** The output of a command, the output that the page shows, and whether they agree. */
const CASES: readonly (readonly [printed: string, shown: string, expected: boolean])[] = [
  ["Recto", "Recto\n", true],
  ["Recto!", "Recto", false],
  ["a  \nb\n", "a\nb", true],
  ["a\nb", "b", false],
  ["1 gain not approved", "2 gains not approved", false],
  ["from a to b", "from … b", true],
  ["from a to c", "from … b", false],
  ["a.b", "a…", true],
  ["axb", "a.b", false],
  ["01a2057d-1274-716f-9590-216b3617a518", "79cad1f5-75e6-8ce2-96b5-3ded3f6efa9f", true],
  ["unknown", "79cad1f5-75e6-8ce2-96b5-3ded3f6efa9f", false],
  ["2026-11-22T23:02:48.624Z", "2025-01-01T00:00:00Z", true],
  ["never", "2025-01-01T00:00:00Z", false],
  ["digest 645370a1fae6", "digest 0123456789ab", true],
  ["took 12.5 ms", "took 3 ms", true],
  ["wrote 1,234 bytes", "wrote 7 bytes", true],
  ["wrote 1,234 rows", "wrote 7 rows", false],
];

for (const [printed, shown, expected] of CASES) {
  Deno.test(`${JSON.stringify(printed)} is ${expected ? "" : "not "}what ${JSON.stringify(shown)} shows`, () => {
    assertEquals(isShown(printed, shown), expected);
  });
}

Deno.test("spaces do not count in JSON, but do elsewhere", () => {
  assertEquals(isShown('{\n  "a": [1, 2]\n}', '{ "a": [1,2] }', "json"), true);
  assertEquals(isShown("a: 1", "a:1"), false);
});
