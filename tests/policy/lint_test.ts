import fc from "fast-check";
import { endpoints } from "../../src/api/endpoints.ts";
import { check, KINDS, RULES } from "../../src/policy/lint/check.ts";
import { type PublishedApi, readApi } from "../../src/policy/document.ts";
import type { Finding } from "../../src/policy/lint/finding.ts";
import { indistinctScopes } from "../../src/policy/lint/rules/indistinct_scopes.ts";
import type { Policy } from "../../src/policy/schema.ts";
import { createPaint, toText } from "../../src/policy/report/text.ts";
import { readSource } from "../../src/policy/lint/source.ts";
import { assert, assertEquals, assertMatch } from "../assert.ts";
import { fulfils, SCOPES, smallPolicies, TOKENS } from "./small.ts";

const root = new URL("../../", import.meta.url);
const golden = new URL("tests/policy/golden/", root);
const read = (path: string, base = golden): string => Deno.readTextFileSync(new URL(path, base));

const sampleApi = readApi(JSON.parse(read("openapi.json")));
const realApi = readApi(JSON.parse(read("spec/openapi.json", root)));

function findingsIn(path: string): Finding[] {
  return check({ source: readSource(path, read(path)), api: sampleApi });
}

for (const { code } of RULES) {
  Deno.test(`check() fires ${code} as its golden file says, and is silent beside it`, () => {
    const fired = findingsIn(`${code}/firing.json`).filter((finding) => finding.code === code);
    assert(fired.length > 0);
    assertEquals(toText(fired, createPaint(false)), read(`${code}/firing.txt`));
    assertEquals(findingsIn(`${code}/silent.json`).filter((finding) => finding.code === code), []);
  });
}

Deno.test("every code has a file, golden files and a section in policy/README.md", () => {
  const codes = RULES.map(({ code }) => code);
  const files = [...Deno.readDirSync(new URL("src/policy/lint/rules/", root))]
    .map(({ name }) => name.replace(".ts", "").replaceAll("_", "-"))
    .filter((name) => name !== "rule");
  assertEquals(files.sort(), [...codes].sort());
  const folders = [...Deno.readDirSync(golden)].filter(({ isDirectory }) => isDirectory)
    .map(({ name }) => name);
  assertEquals(folders.sort(), [...codes].sort());
  const sections = [...read("policy/README.md", root).matchAll(/^#### `([a-z-]+)`$/gm)];
  assertEquals(sections.map(([, code]) => code), KINDS.map(({ code }) => code));
});

Deno.test("the real policy has no findings, and agrees with the endpoints and the document", () => {
  const source = readSource("policy/scopes.json", read("policy/scopes.json", root));
  const table = endpoints.filter(({ operational }) => operational !== true)
    .map(({ method, path }) => `${method} ${path}`);
  assertEquals(check({ source, api: realApi }), []);
  assertEquals(new Set(realApi.routes.keys()), new Set(table));
});

/** The real policy with one rule replaced, compared with a document that was not. */
function checkWith(route: string, rule: unknown): Finding[] {
  const policy = JSON.parse(read("policy/scopes.json", root));
  policy.routes[route] = rule;
  return check({ source: readSource("x.json", JSON.stringify(policy)), api: realApi });
}

Deno.test("check() shows a smallest token on which policy and document differ", () => {
  const route = "GET /v2/pages/:page_id/content/markdown";
  const [finding] = checkWith(route, { anyOf: [["pages.read", "blocks.read"], ["search.read"]] });
  assertEquals(finding?.code, "document-differs");
  assertMatch(finding?.message ?? "", /^A token with search\.read may call it/);
});

Deno.test("check() compares with an earlier policy if there is one", () => {
  const open: Policy = {
    scopes: new Map(),
    routes: new Map([["GET /v2/a/:id", { public: true, alternatives: [] }]]),
    fields: new Map(),
  };
  const path = "newly-public/firing.json";
  const source = readSource(path, read(path));
  const codes = (base: Policy): string[] =>
    check({ source, api: sampleApi, base }).filter(({ code }) => code === "newly-public")
      .map(({ excerpt }) => excerpt.trim());
  assertEquals(codes({ ...open, routes: new Map() }), [
    '"GET /v2/a/:id": "public",',
    '"GET /v2/open": "public"',
  ]);
  assertEquals(codes(open), ['"GET /v2/open": "public"']);
});

Deno.test("indistinct-scopes names exactly the pairs that no token tells apart", () => {
  fc.assert(
    fc.property(smallPolicies, (policy) => {
      const source = readSource("x.json", "{}");
      const file = { policy, safe: new Set<string>(), notes: new Map(), invariants: [] };
      const api: PublishedApi | undefined = undefined;
      const found = indistinctScopes.find({ source, file, api, base: undefined })
        .map(({ message }) => (/"(.*?)" and "(.*?)"/.exec(message) ?? []).slice(1).join(" "));
      assertEquals(new Set(found), new Set(slowPairs(policy)));
    }),
    { numRuns: 1_000 },
  );
});

function slowPairs(policy: Policy): string[] {
  const rules = [...policy.routes.values(), ...policy.fields.values()];
  const matters = (scope: string): boolean =>
    TOKENS.some((held) =>
      rules.some((rule) => fulfils(rule, held) !== fulfils(rule, new Set([...held, scope])))
    );
  const isSame = (a: string, b: string): boolean =>
    TOKENS.filter((held) => !held.has(a) && !held.has(b)).every((held) =>
      rules.every((rule) =>
        fulfils(rule, new Set([...held, a])) === fulfils(rule, new Set([...held, b]))
      )
    );
  const scopes = SCOPES.filter((name) => !name.startsWith("acr:"));
  return scopes.flatMap((a, index) =>
    scopes.slice(index + 1).filter((b) => matters(a) && matters(b) && isSame(a, b))
      .map((b) => `${a} ${b}`)
  );
}

Deno.test("check() reports findings for any text, and never throws", () => {
  const source = fc.oneof(fc.json(), fc.string());
  fc.assert(fc.property(source, (text) => {
    assert(check({ source: readSource("x.json", text), api: sampleApi }).length > 0);
  }));
});
