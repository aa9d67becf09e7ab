import fc from "fast-check";
import type { Invariant } from "../../src/policy/analysis/invariant_schema.ts";
import { type Counterexample, proveAll } from "../../src/policy/analysis/invariants.ts";
import { matching } from "../../src/policy/lint/names.ts";
import type { Policy } from "../../src/policy/schema.ts";
import { assert, assertEquals } from "../assert.ts";
import { FIELDS, fulfils, ROUTES, SCOPES, smallPolicies, TOKENS } from "./small.ts";

const patterns = fc.subarray([
  ...["*", "*.read", "a.*", "b.write", "*e*d", "nothing", "acr:mfa", "acr:*"],
]);
const calls = fc.subarray(["*", "GET *", "POST *", "reads", "writes", ROUTES[0] ?? ""], {
  minLength: 1,
});
const fields = fc.subarray(["*", "*.email", FIELDS[0] ?? ""], { minLength: 1 });

const statement: fc.Arbitrary<Invariant> = fc.record({
  name: fc.constant("It holds"),
  tokens: fc.record({ with: patterns, only: patterns, without: patterns }, { requiredKeys: [] }),
  canCall: calls,
  cannotCall: calls,
  canSee: fields,
  cannotSee: fields,
  except: calls,
}, { requiredKeys: ["name", "tokens"] });

const safe = fc.subarray(["POST /v2/b"]).map((names) => new Set(names));

interface Question {
  readonly policy: Policy;
  readonly safe: ReadonlySet<string>;
  readonly invariant: Invariant;
}

function isAbout({ policy, invariant: { tokens } }: Question, held: ReadonlySet<string>): boolean {
  // Scopes that no rule names count for nothing, so that they are not of the policy.
  const counting = [...policy.routes.values(), ...policy.fields.values()];
  const known = new Set([
    ...policy.scopes.keys(),
    ...counting.flatMap((r) => r.alternatives).flat(),
  ]);
  const isAcr = (text: string): boolean => text.startsWith("acr:");
  const some = (list: readonly string[]): string[] =>
    list.flatMap((pattern) =>
      matching(pattern, known).filter((one) => isAcr(one) === isAcr(pattern))
    );
  const open = tokens.only?.some(isAcr) ? [] : [...known].filter(isAcr);
  const only = tokens.only && new Set([...some(tokens.only), ...open]);
  return some(tokens.with ?? []).every((scope) => held.has(scope)) &&
    [...held].every((scope) => only === undefined || only.has(scope)) &&
    some(tokens.without ?? []).every((scope) => !held.has(scope));
}

/** Each call and field of a statement with the sizes of the tokens that refute it. */
function slowRefutations(question: Question): Map<string, number> {
  const { policy, safe, invariant } = question;
  const select = (list: readonly string[] | undefined, names: Iterable<string>): string[] =>
    [...names].filter((name) =>
      list?.some((pattern) => {
        const reads = name.startsWith("GET ") || safe.has(name);
        if (pattern === "reads") return reads && name.includes(" ");
        if (pattern === "writes") return !reads && name.includes(" ");
        return matching(pattern, [name]).length > 0;
      })
    );
  const excepted = new Set(select(invariant.except, [...ROUTES, ...FIELDS]));
  const claims = [
    [invariant.canCall, policy.routes, "cannot call", false],
    [invariant.cannotCall, policy.routes, "can call", true],
    [invariant.canSee, policy.fields, "does not see", false],
    [invariant.cannotSee, policy.fields, "sees", true],
  ] as const;
  const found = new Map<string, number>();
  for (const [list, rules, effect, bad] of claims) {
    for (const name of select(list, rules.keys()).filter((one) => !excepted.has(one))) {
      const refuting = TOKENS.filter((held) =>
        isAbout(question, held) && fulfils(rules.get(name), held) === bad
      );
      const least = Math.min(...refuting.map((held) => held.size));
      if (refuting.length > 0) found.set(`${effect} ${name}`, least);
    }
  }
  return found;
}

Deno.test("proveAll() refutes exactly the statements that some token refutes, with a smallest one", () => {
  fc.assert(
    fc.property(smallPolicies, safe, statement, (policy, safe, invariant) => {
      const question = { policy, safe, invariant };
      const [proof] = proveAll({ policy, safe, invariants: [invariant] });
      const examples: readonly Counterexample[] = proof?.counterexamples ?? [];
      const found = new Map(
        examples.map(({ effect, target, scopes }) => [`${effect} ${target}`, scopes.length]),
      );
      assertEquals(found, new Map(slowRefutations(question)));
      for (const { scopes, target, effect } of examples) {
        const held = new Set(scopes);
        const rule = policy.routes.get(target) ?? policy.fields.get(target);
        assert(isAbout(question, held));
        assertEquals(fulfils(rule, held), effect === "can call" || effect === "sees");
      }
      const sizes = examples.map(({ scopes }) => scopes.length);
      assertEquals(sizes, [...sizes].sort((a, b) => a - b));
    }),
    { numRuns: 3_000 },
  );
});

function proofOf(invariant: Omit<Invariant, "name">): { idle: boolean; refuted: boolean } {
  const rule = { public: false, alternatives: [["a.read"]] };
  const policy = {
    scopes: new Map(SCOPES.map((scope) => [scope, "…"])),
    routes: new Map([["GET /v2/a/:id", rule]]),
    fields: new Map([["thing.secret", rule]]),
  };
  const [proof] = proveAll({ policy, safe: new Set(), invariants: [{ name: "x", ...invariant }] });
  return { idle: proof?.idle === true, refuted: proof?.counterexamples.length !== 0 };
}

Deno.test("proveAll() reports statements that match no token, call or field as idle", () => {
  const idle = { idle: true, refuted: false };
  assertEquals(proofOf({ tokens: { with: ["a.read"], without: ["a.*"] }, canCall: ["*"] }), idle);
  assertEquals(proofOf({ tokens: {}, cannotCall: ["writes"] }), idle);
  assertEquals(proofOf({ tokens: {}, cannotCall: ["*"], except: ["GET *"] }), idle);
  assertEquals(proofOf({ tokens: {}, cannotSee: ["thing.other"] }), idle);
  assertEquals(proofOf({ tokens: {}, cannotSee: ["*"] }), { idle: false, refuted: true });
  assertEquals(proofOf({ tokens: {}, canSee: ["*"], except: ["thing.*"] }), idle);
});
