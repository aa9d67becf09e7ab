import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { AppError } from "../../src/shared/errors.ts";
import { parseJson, parseLargeJson } from "../../src/http/json.ts";
import { assert, assertEquals, assertThrows } from "../assert.ts";

const encoder = new TextEncoder();

function refusal(text: string | Uint8Array<ArrayBuffer>): string {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  return assertThrows(() => parseJson(bytes), AppError).message;
}

Deno.test("parseJson() reads what JSON.stringify() writes", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value);
      // Those are refused, as other tests say.
      fc.pre(!text.includes("\\u"));
      assertEquals(parseJson(encoder.encode(text)), JSON.parse(text));
    }),
  );
});

/** Texts of which some are JSON, and most nearly. */
const nearly = fc.array(
  fc.constantFrom(
    ...'{}[]:,"\\ \n\t-+.e0123aux'.split(""),
    ...[
      '"a"',
      '"b"',
      '"\\n"',
      '"\\x"',
      '"\t"',
      "{}",
      "[]",
      '{"a":',
      '[1,"b"',
      "true",
      "null",
      "fals",
    ],
    ...["-0", "1.5e-7", "01", "1.", ".5", "1e", "\u00a0", "\f", "\ufeff", "é"],
  ),
  { maxLength: 9 },
).map((pieces) => pieces.join(""));

Deno.test("parseJson() accepts just what JSON.parse() accepts, but for what is ambiguous", () => {
  const read = (parse: () => unknown) => {
    try {
      return { value: parse() };
    } catch {
      return "refused";
    }
  };
  const ambiguous = /duplicate name|byte order mark|out of range|not exact/;
  const property = fc.property(nearly, (text) => {
    const bytes = encoder.encode(text);
    const found = read(() => parseJson(bytes));
    const isAmbiguous = found === "refused" && ambiguous.test(refusal(bytes));
    if (!isAmbiguous) assertEquals(found, read(() => JSON.parse(text)), JSON.stringify(text));
  });
  fc.assert(property, {
    numRuns: 3_000,
    examples: [['{"a":1,}'], ["[]]"], ["[-0,1.5e-7]"], ['{"a":"b"} '], ["[1 2]"], ['{"a" 1}']],
  });
});

Deno.test("parseLargeJson() lets others run, even if all names differ", async () => {
  const names = Array.from({ length: 90_000 }, (_, index) => `{"${index.toString(36)}a":0}`);
  let turns = 0;
  let isParsing = true;
  const others = (async () => {
    for (; isParsing; turns++) await setImmediate();
  })();
  const value = await parseLargeJson(encoder.encode(`[${names.join()}]`));
  isParsing = false;
  await others;
  assertEquals(Array.isArray(value) && value.length, names.length);
  assert(turns > 3, `${turns} turns`);
});

Deno.test("parseJson() rejects a duplicate name, however it is escaped", () => {
  assertEquals(refusal('{"a":1,"a":2}'), 'Error parsing JSON body: duplicate name "a"');
  assertEquals(
    refusal('[{"b":{"a":1,"\\u0061":2}}]'),
    'Error parsing JSON body: duplicate name "a"',
  );
  assertEquals(parseJson(encoder.encode('{"a":{"a":[{"a":1},{"a":2}]}}')), {
    a: { a: [{ a: 1 }, { a: 2 }] },
  });
});

Deno.test("parseJson() rejects bytes that are not UTF-8, and a byte order mark", () => {
  const broken = [[0x22, 0xc0, 0xaf, 0x22], [0x22, 0xff, 0x22], [0xff, 0xfe, 0x7b, 0, 0x7d, 0]];
  for (const bytes of broken) {
    assertEquals(refusal(new Uint8Array(bytes)), "Error parsing JSON body: not UTF-8");
  }
  assertEquals(refusal("\ufeff{}"), "Error parsing JSON body: byte order mark");
});

Deno.test("parseJson() rejects lone surrogates and NUL", () => {
  assertEquals(refusal('"\\ud800"'), "Error parsing JSON body: lone surrogate");
  assertEquals(refusal('{"\\udc00x":1}'), "Error parsing JSON body: lone surrogate");
  assertEquals(refusal('"a\\u0000"'), "Error parsing JSON body: NUL character");
  assertEquals(parseJson(encoder.encode('"\\ud83d\\ude00"')), "😀");
});

Deno.test("parseJson() rejects numbers beyond the range of a double", () => {
  assertEquals(refusal("1e400"), "Error parsing JSON body: number out of range: 1e400");
  assertEquals(
    refusal("[-9007199254740993]"),
    "Error parsing JSON body: integer not exact in a double: -9007199254740993",
  );
  assertEquals(parseJson(encoder.encode("[9007199254740991,0.1,-1e-7]")), [
    9007199254740991,
    0.1,
    -1e-7,
  ]);
});

Deno.test("parseJson() reads every whole number that JSON.stringify() writes, whatever its size", () => {
  const scaled = fc.tuple(
    fc.double({ min: -1, max: 1, noNaN: true }),
    fc.integer({ min: 53, max: 1023 }),
  );
  fc.assert(
    fc.property(scaled, ([part, exponent]) => {
      const value = Math.trunc(part * 2 ** exponent);
      for (const text of [JSON.stringify(value), String(BigInt(value))]) {
        assertEquals(parseJson(encoder.encode(`[${text}]`)), JSON.parse(`[${text}]`));
      }
    }),
  );
  assertEquals(parseJson(encoder.encode("[1000000000000000000]")), [1e18]);
  // Written as no double is, and yet a double.
  assertEquals(parseJson(encoder.encode("[-9007199254740994,9007199254740992]")), [
    -9007199254740994,
    2 ** 53,
  ]);
});

Deno.test("parseJson() rejects integers between two doubles", () => {
  const between = fc.bigInt({ min: 2n ** 53n, max: 2n ** 62n }).map((half) => 2n * half + 1n);
  fc.assert(
    fc.property(between, fc.boolean(), (integer, isNegative) => {
      const token = isNegative ? `-${integer}` : String(integer);
      assertEquals(
        refusal(token),
        `Error parsing JSON body: integer not exact in a double: ${token}`,
      );
    }),
  );
});

Deno.test("parseJson() rejects deep nesting as soon as it begins, ignoring strings", () => {
  const deep = "Error parsing JSON body: deeper than 64 levels";
  assertEquals(refusal("[".repeat(100_000)), deep);
  assertEquals(refusal('{"a":'.repeat(100_000)), deep);
  const whole = (levels: number) => encoder.encode("[".repeat(levels) + "]".repeat(levels));
  parseJson(whole(64));
  assertThrows(() => parseJson(whole(65)), AppError);
  assertEquals(parseJson(encoder.encode(`"${"[".repeat(1_000)}"`)), "[".repeat(1_000));
});

Deno.test("parseJson() rejects bad syntax, including a text of only quotes", () => {
  const bad = ["", "{", "{a:1}", "[1,]", "NaN", "'a'", '"', `"${'\\"'.repeat(200_000)}`];
  for (const text of bad) assertEquals(refusal(text), "Error parsing JSON body: bad syntax");
});

Deno.test("parseJson() treats __proto__ as an ordinary member", () => {
  const value = parseJson(encoder.encode('{"__proto__":{"admin":true}}'));
  assertEquals(Object.keys(Object(value)), ["__proto__"]);
  assertEquals(Reflect.get({}, "admin"), undefined);
});
