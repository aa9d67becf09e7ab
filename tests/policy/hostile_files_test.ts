import { check } from "../../src/policy/lint/check.ts";
import { readApi } from "../../src/policy/document.ts";
import { findDuplicateKeys } from "../../src/policy/json_keys.ts";
import { routeOf } from "../../src/policy/analysis/calls.ts";
import { UsageError } from "../../src/policy/command.ts";
import { PolicyError } from "../../src/policy/issue.ts";
import { parsePolicy } from "../../src/policy/schema.ts";
import { readSource } from "../../src/policy/lint/source.ts";
import { createPaint, toText } from "../../src/policy/report/text.ts";
import { assert, assertEquals, assertThrows } from "../assert.ts";

const live = await Deno.readTextFile("policy/scopes.json");
const api = readApi(JSON.parse(await Deno.readTextFile("spec/openapi.json")));

Deno.test("findDuplicateKeys() handles strings of any length and any escapes", () => {
  const long = "x\\\\".repeat(4_000_000);
  assertEquals(findDuplicateKeys(`{"a":"${long}","a":"\\\\\\"","b":"\\""}`), [["a"]]);
});

Deno.test("a file that is nested too deeply is an issue, not a crash", () => {
  for (const depth of [33, 5_000, 200_000]) {
    const text = `{"scopes":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    const [finding] = check({ source: readSource("x.json", text), api });
    assert(finding?.message.includes("nested more than 32 levels"), finding?.message);
    assertThrows(() => parsePolicy(text), PolicyError, "nested more than 32 levels");
  }
});

Deno.test("a minified file is shown around the place only", () => {
  const text = JSON.stringify({ ...JSON.parse(live), extra: "y".repeat(200_000) });
  const printed = toText(check({ source: readSource("x.json", text), api }), createPaint(false));
  assert(printed.length < 2_000, `${printed.length}`);
  const [, line = "", caret = ""] = printed.split("\n");
  assertEquals(line.slice(caret.indexOf("^"), caret.lastIndexOf("^") + 1), '"extra"');
});

Deno.test("check() ends soon with 20,000 unknown routes", () => {
  const policy = JSON.parse(live);
  for (let n = 0; n < 20_000; n++) policy.routes[`GET /v2/unknown/${n}`] = ["pages.read"];
  const start = performance.now();
  const found = check({ source: readSource("x.json", JSON.stringify(policy, null, 2)), api });
  assertEquals(found.filter(({ code }) => code === "rule-without-route").length, 20_000);
  assert(performance.now() - start < 30_000, "it compares all pairs");
});

Deno.test("common mistakes are named where they are", () => {
  const mistakes = [
    [`\ufeff${live}`, 1, "byte order mark"],
    [live.replace('"scopes"', '// why\n  "scopes"'), 3, "JSON has no comments"],
    [live.replace(/\n {2}\]\n\}\n$/, ",\n  ]\n}\n"), undefined, 'Remove the comma before "]"'],
    [
      live.replace('"GET /v2/users/:user_id"', '"PUT /v2/users/:user_id"'),
      undefined,
      "PUT is not a method of this API, which has GET, POST, PATCH, DELETE",
    ],
  ] as const;
  for (const [text, line, message] of mistakes) {
    const [finding] = check({ source: readSource("x.json", text), api });
    assert(finding?.message.includes(message), finding?.message);
    if (line !== undefined) assertEquals(finding?.span.line, line);
  }
});

Deno.test("explain finds no rule for a path that the server does not know", () => {
  const policy = parsePolicy(live);
  for (const path of ["/v2/users/%2e%2e", "/v2/users/..", "/v2/users/%41da", "/v2/users/a%2Fb"]) {
    assertThrows(() => routeOf(`GET ${path}`, policy), UsageError);
  }
  assertEquals(routeOf("GET /v2/users/%C3%A9", policy), "GET /v2/users/:user_id");
});
