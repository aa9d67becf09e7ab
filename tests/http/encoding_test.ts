import { chooseCoding } from "../../src/http/encoding.ts";
import { assertEquals } from "../assert.ts";

const CODINGS = ["zstd", "br", "gzip"];

for (
  const [accept, expected] of [
    ["", "identity"],
    ["*", "zstd"],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip, deflate, br", "br"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["gzip; q=0.5 , br ; q=0.5", "br"],
    ["deflate, compress", "identity"],
    ["zstd;q=0, br;q=0.0, *;q=0.1", "gzip"],
    ["identity;q=0.5, gzip;q=0.4", "identity"],
    ["identity, gzip", "gzip"],
    ["gzip;q=2, br;q=x", "identity"],
    ["*;q=0", undefined],
    ["identity;q=0", undefined],
    ["identity;q=0, *", "zstd"],
    ["deflate, identity;q=0", undefined],
  ] as const
) {
  Deno.test(`chooseCoding() answers ${expected} to "${accept}"`, () => {
    assertEquals(chooseCoding(accept, CODINGS), expected);
  });
}

Deno.test("chooseCoding() reads a long list in linear time", () => {
  assertEquals(chooseCoding(`${"a;q=,".repeat(3_000)}gzip`, CODINGS), "gzip");
  assertEquals(chooseCoding(" ".repeat(16_000), CODINGS), "identity");
});
