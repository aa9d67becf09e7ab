import fc from "fast-check";
import { AppError } from "../../src/shared/errors.ts";
import { negotiate } from "../../src/http/negotiation.ts";
import { assertEquals } from "../assert.ts";

function taken(accept: string): string {
  try {
    return negotiate(new Map([["accept", accept]]), ["application/json", "text/markdown"]);
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

Deno.test("negotiate() accepts a media type with any parameters", () => {
  const parameters = [
    "; charset=utf-8",
    ";charset=UTF-8",
    ";version=1",
    ";v=b3;profile=x",
    ";",
    ";x",
  ];
  for (const parameter of parameters) {
    assertEquals(taken(`application/json${parameter}`), "application/json", parameter);
    assertEquals(taken(`text/markdown${parameter}`), "text/markdown", parameter);
    assertEquals(taken(`text/html${parameter}`), "not_acceptable", parameter);
  }
});

Deno.test("negotiate() uses the weight among other parameters", () => {
  assertEquals(taken("application/json;q=0.1;a=b, text/markdown; a=b ; Q=0.2"), "text/markdown");
  assertEquals(taken("application/json;a=b;q=0.3, text/markdown;a=b;q=0.2"), "application/json");
  assertEquals(taken("application/json;charset=utf-8;q=0"), "not_acceptable");
});

const plain = fc.stringMatching(/^[a-z0-9=.-]{0,5}$/).map((text) => `x${text}`);
const quoted = fc.string({ unit: fc.constantFrom(...'a,; =\\"q/*'), maxLength: 12 })
  .map((text) => `x="${text.replace(/["\\]/g, "\\$&")}"`);
const range = fc.record({
  type: fc.constantFrom("application/json", "text/markdown", "text/*", "*/*", "text/html"),
  weight: fc.constantFrom("", ";q=0", "; q=0.5", ";q=1"),
  parameters: fc.array(fc.oneof(plain, quoted).map((text) => `;${text}`), { maxLength: 3 }),
});

Deno.test("negotiate() ignores parameters of media ranges, including quoted ones", () => {
  fc.assert(
    fc.property(fc.array(range, { minLength: 1, maxLength: 4 }), (ranges) => {
      const bare = ranges.map(({ type, weight }) => type + weight);
      const full = ranges.map(({ type, parameters, weight }) =>
        type + parameters.join("") + weight
      );
      assertEquals(taken(full.join(", ")), taken(bare.join(", ")), full.join(", "));
    }),
  );
});

Deno.test("negotiate() handles open quotes and long values", () => {
  for (
    const accept of ['application/json;a="', 'application/json;a="\\', 'application/json;a="b, c']
  ) {
    assertEquals(taken(accept), "application/json", accept);
  }
  for (const unit of [";", '"', '\\"', ';"', ';"\\', "; ", ";q", ';a="\\"', ","]) {
    assertEquals(taken(`application/json;${unit.repeat(100_000)}`), "application/json", unit);
  }
});
