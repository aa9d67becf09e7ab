import { assert, assertEquals } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import { watchStore } from "../support/watched_store.ts";
import { createPage, NEW_PAGE, outcome } from "./support.ts";

type Create = (body: string | Uint8Array) => Promise<Answer>;

/** Runs a test that creates nothing, and proves that it did not. */
async function withNothingWritten(
  test: (create: Create, app: TestApp) => Promise<void>,
): Promise<void> {
  const { store, calls } = watchStore();
  await withApp(async (app) => {
    await test((body) => app.call("POST /v2/pages", { body }), app);
    assertEquals(calls.filter((name) => name === "commit"), []);
    // The process lives, and what it makes of the next body is sound.
    assertEquals((await app.call("POST /v2/pages", { body: NEW_PAGE })).status, 200);
  }, { store });
}

function titled(title: string): string {
  return `{"parent":{"workspace":true},"properties":{"title":[{"text":{"content":${title}}}]}}`;
}

const utf8 = new TextEncoder();

function bytes(...parts: (string | number[])[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => [...typeof part === "string" ? utf8.encode(part) : part]),
  );
}

const REFUSED: Readonly<Record<string, readonly (string | Uint8Array)[]>> = {
  "thousands of levels": [
    ...["[".repeat(100_000), '{"a":'.repeat(100_000), `${"[".repeat(10_000)}${"]".repeat(10_000)}`],
    `{"parent":${'{"and":['.repeat(1_000)}{}${"]}".repeat(1_000)},"properties":{}}`,
    `{"parent":{"workspace":true},"properties":{},"children":${
      '[{"toggle":{"rich_text":[],"children":'.repeat(1_000)
    }[]${"}}]".repeat(1_000)}}`,
  ],
  "a name that stands twice": [
    '{"parent":{"workspace":true},"properties":{},"properties":{}}',
    '{"parent":{"workspace":true,"workspac\\u0065":true},"properties":{}}',
    titled('"a","content":"b"'),
  ],
  "bytes that are not UTF-8": [
    bytes('{"parent":"', [0xff], '"}'),
    bytes(titled('"').slice(0, -5), [0xc0, 0xaf], '"}}]}}'),
    bytes([0xef, 0xbb, 0xbf], titled('"a"')),
    bytes([0xff, 0xfe], [...titled('"a"')].flatMap((char) => [char.charCodeAt(0), 0])),
  ],
  "text that could not be stored or sent": [
    ...["\\ud800", "\\udc00\\ud800", "a\\u0000b", "\\uD83D"].map((text) => titled(`"${text}"`)),
    '{"parent":{"workspace":true},"properties":{},"\\u0000":1}',
  ],
  "a number that a double does not hold": [
    ...["1e400", "-1e999", "9007199254740993", "1".repeat(1_000_000)].map((number) =>
      `{"parent":{"workspace":true},"properties":{"n":{"number":${number}}}}`
    ),
  ],
  "what is no JSON": ["{", "{a:1}", "{'a':1}", "[1,]", "NaN", "{}{}", "// x", "\0", "undefined"],
};

for (const [what, bodies] of Object.entries(REFUSED)) {
  Deno.test(`a body with ${what} is refused and nothing is written`, () =>
    withNothingWritten(async (create) => {
      for (const body of bodies) {
        const answer = await create(body);
        const shown = typeof body === "string" ? body.slice(0, 60) : "bytes";
        assertEquals(outcome(answer), "400 invalid_json", shown);
      }
    }));
}

Deno.test("a body that is JSON but no object is refused as a whole", () =>
  withNothingWritten(async (create) => {
    for (const body of ["null", "[]", "1", '"x"', "true", "[{}]"]) {
      const { status, json } = await create(body);
      assertEquals([status, json.code, json.errors[0].pointer], [400, "validation_error", ""]);
    }
  }));

Deno.test("names of the language's own objects are ordinary names, and change no object", () =>
  withNothingWritten(async (create) => {
    const poison = '{"admin":true,"polluted":true}';
    for (const name of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"]) {
      const inside = await create(
        `{"parent":{"workspace":true},"properties":{},"${name}":${poison}}`,
      );
      assertEquals([inside.status, inside.json.errors?.[0].pointer], [400, `/${name}`]);
      const parent = await create(
        `{"parent":{"workspace":true,"${name}":${poison}},"properties":{}}`,
      );
      assertEquals(parent.status, 400, name);
    }
    await create('{"constructor":{"prototype":{"polluted":true}}}');
    assertEquals(Reflect.get({}, "polluted"), undefined);
    assertEquals(Reflect.get({}, "admin"), undefined);
  }));

Deno.test("a property of such a name is refused or leaves the page as it would be without", () =>
  withApp(async ({ call }) => {
    for (const name of ["__proto__", "constructor", "prototype", "toString"]) {
      const body = `{"parent":{"workspace":true},"properties":{"${name}":{"admin":true}}}`;
      const { status, json } = await call("POST /v2/pages", { body });
      if (status === 200) assertEquals(Object.keys(json.properties), ["title"]);
      else assertEquals([status, json.code], [400, "validation_error"], name);
    }
    assertEquals(Reflect.get({}, "admin"), undefined);
  }));

Deno.test("hundreds of thousands of names, items or characters are refused in a short answer", () =>
  withNothingWritten(async (create) => {
    const names = Array.from({ length: 90_000 }, (_, n) => `"k${n}":1`).join();
    const bodies = [
      [`{${names}}`, "400 invalid_json"],
      [`{"parent":{"workspace":true},"properties":{${names}}}`, "400 invalid_json"],
      [withChildren(`${"{},".repeat(300_000)}{}`), "400 validation_error"],
      [withChildren(`${"0,".repeat(480_000)}0`), "400 validation_error"],
      [
        withChildren(`${'{"paragraph":{"rich_text":[{},{},{}],"x":1}},'.repeat(20_000)}0`),
        "400 validation_error",
      ],
      [titled(`"${"x".repeat(1_000_000)}"`), "400 validation_error"],
      [titled(`"${"x".repeat(2_000_000)}"`), "413 payload_too_large"],
    ];
    for (const [body = "", expected] of bodies) {
      const answer = await create(body);
      assertEquals(outcome(answer), expected, body.slice(0, 60));
      assert(answer.text.length < 2_000, `${body.slice(0, 60)}: ${answer.text.length}`);
    }
  }));

function withChildren(items: string): string {
  return `{"parent":{"workspace":true},"properties":{},"children":[${items}]}`;
}

Deno.test("a small body is told its first hundred faults, a large one its first", () =>
  withNothingWritten(async (create) => {
    const small = await create(withChildren(`${"0,".repeat(300)}0`));
    assertEquals([small.status, small.json.errors.length], [400, 100]);
    const named = Array.from({ length: 300 }, (_, n) => `"k${n}":1`).join();
    const unknown = await create(`{"parent":{"workspace":true},"properties":{},${named}}`);
    assertEquals([unknown.status, unknown.json.errors.length], [400, 100]);
    const large = await create(withChildren(`${"0,".repeat(40_000)}0`));
    assertEquals([large.status, large.json.errors.length], [400, 1]);
    assertEquals(large.json.errors[0].pointer, "/children/0");
  }));

Deno.test("text is kept as it was sent, in whatever normal form", () =>
  withApp(async (app) => {
    const titles = [
      "\u00e9",
      "e\u0301",
      "\u212a",
      "\u017f",
      "I\u0307",
      "\u202eabc",
      "a\u200bb",
      "\ufeffx",
      "😀",
    ];
    for (const content of titles) {
      const id = await createPage(app, {
        body: { properties: { title: [{ text: { content } }] } },
      });
      const { json } = await app.call(`GET /v2/pages/${id}`);
      assertEquals(json.properties.title.title[0].plain_text, content);
    }
  }));
