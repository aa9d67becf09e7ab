import fc from "fast-check";
import { type CaseFile, parseCases, runCases } from "../../src/policy/analysis/cases.ts";
import { boundaryOf, caseOf, coverageOf } from "../../src/policy/analysis/coverage.ts";
import { digestOf } from "../../src/policy/digest.ts";
import { PolicyError } from "../../src/policy/issue.ts";
import { normalize } from "../../src/policy/analysis/normal.ts";
import { parsePolicy, type Policy, type Rule } from "../../src/policy/schema.ts";
import { assert, assertEquals, assertThrows } from "../assert.ts";
import { ROUTES, rule, SCOPES, smallPolicies } from "./small.ts";

const file = new URL("../../policy/scopes.json", import.meta.url);
const realPolicy = parsePolicy(Deno.readTextFileSync(file));

function fullCases(policy: Policy): CaseFile[] {
  const normal = normalize(policy);
  const cases = boundaryOf(normal).map((point) => caseOf(point, normal));
  // As they are read from a file: nothing but data.
  return [parseCases(JSON.stringify({ cases }), "all.json")];
}

/** Returns the verdict of `policy test`: true if every case passes and none is missing. */
function isPinned(policy: Policy, files: readonly CaseFile[]): boolean {
  const normal = normalize(policy);
  const outcomes = runCases(files, normal);
  return outcomes.every(({ passed }) => passed) &&
    coverageOf(outcomes, normal).missing.length === 0;
}

function failures(policy: Policy, files: readonly CaseFile[]): number {
  return runCases(files, normalize(policy)).filter(({ passed }) => !passed).length;
}

Deno.test("with full coverage, the cases pass only for equivalent policies", () => {
  fc.assert(
    fc.property(smallPolicies, smallPolicies, (policy, other) => {
      const files = fullCases(policy);
      assert(isPinned(policy, files));
      assertEquals(isPinned(other, files), digestOf(other) === digestOf(policy));
    }),
    { numRuns: 5_000 },
  );
});

Deno.test("with full coverage, changing the rule of one call always fails a case", () => {
  const changed = fc.tuple(smallPolicies, fc.constantFrom(...ROUTES), rule);
  fc.assert(
    fc.property(changed, ([policy, name, rule]) => {
      const had = policy.routes.has(name);
      fc.pre(had);
      const other = { ...policy, routes: new Map([...policy.routes, [name, rule]]) };
      assertEquals(
        failures(other, fullCases(policy)) > 0,
        digestOf(other) !== digestOf(policy),
      );
    }),
    { numRuns: 5_000 },
  );
});

/** One edit that a hurried author makes to one rule. */
function mutants({ alternatives }: Rule): Rule[] {
  return alternatives.flatMap((list, index) => {
    const others = alternatives.filter((_, place) => place !== index);
    return [
      ...SCOPES.map((scope) => [...others, [...list, scope]]),
      ...list.map((scope) => [...others, list.filter((one) => one !== scope)]),
      ...SCOPES.map((scope) => [...alternatives, [scope]]),
      others,
    ].map((mutated) => ({ public: false, alternatives: mutated.filter((one) => one.length > 0) }));
  });
}

Deno.test("with full coverage, every edit that changes a rule's meaning fails a case", () => {
  fc.assert(
    fc.property(smallPolicies, (policy) => {
      const files = fullCases(policy);
      for (const [name, own] of policy.routes) {
        for (const mutant of mutants(own)) {
          const other = { ...policy, routes: new Map([...policy.routes, [name, mutant]]) };
          const same = digestOf(other) === digestOf(policy);
          assertEquals(failures(other, files) === 0, same, JSON.stringify([name, mutant]));
        }
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("all 46 boundary points of the real policy are covered, and all cases pass", async () => {
  const folder = new URL("../../policy/cases/", import.meta.url);
  const files: CaseFile[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    files.push(parseCases(await Deno.readTextFile(new URL(name, folder)), name));
  }
  assertEquals(boundaryOf(normalize(realPolicy)).length, 46);
  assert(isPinned(realPolicy, files));
});

function outcome(one: Record<string, unknown>): { passed: boolean; unknown: readonly string[] } {
  const files = [parseCases(JSON.stringify({ cases: [one] }), "x.json")];
  const [first] = runCases(files, normalize(realPolicy));
  return { passed: first?.passed === true, unknown: first?.unknown ?? [] };
}

const MARKDOWN = "GET /v2/pages/5c6a/content/markdown";

Deno.test("runCases() checks decisions and reasons, also for real paths", () => {
  const denied = { call: MARKDOWN, scopes: ["pages.read"], effect: "deny" };
  assert(outcome({ ...denied, missing: [["blocks.read"]] }).passed);
  assert(!outcome({ ...denied, missing: [["pages.read"]] }).passed);
  assert(!outcome({ ...denied, missing: [] }).passed);
  assert(!outcome({ call: MARKDOWN, scopes: ["pages.read"], effect: "allow" }).passed);
  assert(outcome({ call: MARKDOWN, allBut: [], effect: "allow" }).passed);
  assert(outcome({ call: "GET /v2/nowhere", allBut: [], effect: "deny", missing: [] }).passed);
});

Deno.test("runCases() fails a case that names an unknown scope", () => {
  const one = { call: MARKDOWN, scopes: ["pages.raed"], effect: "deny" };
  const missing = [["blocks.read", "pages.read"]];
  assertEquals(outcome({ ...one, missing }), { passed: false, unknown: ["pages.raed"] });
});

Deno.test("parseCases() rejects cases that are incomplete or ambiguous", () => {
  const call = "GET /v2/pages/:page_id";
  for (
    const wrong of [
      { call, effect: "allow" },
      { call, scopes: [], allBut: [], effect: "allow" },
      { call, scopes: [], effect: "deny" },
      { call, scopes: [], effect: "allow", missing: [] },
      { call, scopes: [], effect: "show" },
      { field: "user.person.email", scopes: [], effect: "deny", missing: [] },
      { call, field: "x", scopes: [], effect: "allow" },
      { scopes: [], effect: "allow" },
      { call, scopes: [], effect: "allow", effects: 1 },
    ]
  ) {
    const text = JSON.stringify({ cases: [wrong] });
    assertThrows(() => parseCases(text, "x.json"), PolicyError, "x.json cases.0");
  }
  assertThrows(() => parseCases("{", "x.json"), PolicyError, "not JSON");
});
