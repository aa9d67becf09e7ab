/**
 * The types of the vendor's SDKs accept every answer to the tests of the API.
 *
 * @module
 */
import { assert, assertEquals } from "../assert.ts";
import type { Exchange } from "../support/exchanges.ts";
import { exchangesOf } from "../support/recorded_tests.ts";
import { installClients } from "./install.ts";
import { type Answered, openOracle } from "./oracle.ts";

/** Minimum number of judged answers, so that an empty run does not pass. */
const ANSWERS = 3_000;

await installClients();
const oracle = await openOracle();

function answeredOf({ method, path, status, asked, answered }: Exchange): Answered {
  const type = new Headers(answered.headers).get("content-type") ?? "";
  const isEncoded = new Headers(answered.headers).has("content-encoding");
  const isJson = /\bjson(?:;|$)/.test(type) && !isEncoded && answered.body !== null;
  const text = isJson ? new TextDecoder().decode(Uint8Array.fromBase64(answered.body)) : "";
  return {
    method,
    path,
    status,
    version: new Headers(asked.headers).get("notion-version"),
    ...(isJson && { answer: JSON.parse(text) }),
  };
}

const exchanges = await exchangesOf(["tests/api/", "tests/notion/"]);
const judged = exchanges.map(answeredOf).flatMap((answered) => {
  const verdict = oracle.judge(answered);
  return verdict === null ? [] : [{ answered, verdict }];
});

Deno.test("every answer to the API's tests is of the SDK's type", () => {
  assert(judged.length > ANSWERS, `${judged.length} answers`);
  const faults = judged.flatMap(({ answered: { method, path }, verdict }) =>
    verdict.faults.length > 0
      ? [`${method} ${path} ${verdict.type} ${verdict.faults.join("; ")}`]
      : []
  );
  assertEquals(faults.slice(0, 20), [], `${faults.length} of ${judged.length}`);
});

/** An answer that passed, of this route. */
function sample(method: string, path: RegExp): Answered & { readonly answer: object } {
  const found = judged.find(({ answered, verdict }) =>
    answered.method === method && path.test(answered.path) && verdict.faults.length === 0
  );
  const answer = found?.answered.answer;
  assert(found !== undefined && typeof answer === "object" && answer !== null);
  return { ...found.answered, answer };
}

const PAGE = sample("GET", /^\/v2\/pages\/[^/]+$/);
const BLOCK = sample("GET", /^\/v2\/blocks\/[^/]+$/);
const LIST = sample("GET", /^\/v2\/blocks\/[^/]+\/children$/);

for (
  const [name, { answer, ...answered }, change] of [
    ["a page with a number as its URL", PAGE, { url: 1 }],
    ["a page with a member too many", PAGE, { surprise: true }],
    ["a page of another kind", PAGE, { object: "database" }],
    ["a block without its parent", BLOCK, { parent: undefined }],
    ["a block of an unknown type", BLOCK, { type: "riddle" }],
    ["a list without a cursor", LIST, { next_cursor: undefined }],
    ["a list of pages in place of blocks", LIST, { results: [PAGE.answer] }],
  ] as const
) {
  Deno.test(`the types refuse ${name}`, () => {
    assertEquals(oracle.judge({ ...answered, answer })?.faults, []);
    assert(oracle.judge({ ...answered, answer: { ...answer, ...change } })?.faults.length !== 0);
  });
}
