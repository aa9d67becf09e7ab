import fc from "fast-check";
import { draftApproval, judgeConsent, parseApproval } from "../../src/policy/analysis/approval.ts";
import type { Case, CaseFile } from "../../src/policy/analysis/cases.ts";
import {
  diffGuards,
  type GuardChange,
  type GuardedPolicy,
  needsConsent,
} from "../../src/policy/analysis/guards.ts";
import { proveAll } from "../../src/policy/analysis/invariants.ts";
import type { Invariant } from "../../src/policy/analysis/invariant_schema.ts";
import { isConsented, reviewChange } from "../../src/policy/analysis/review.ts";
import { isCovered } from "../../src/policy/analysis/statement_cover.ts";
import { digestOf } from "../../src/policy/digest.ts";
import type { Policy } from "../../src/policy/schema.ts";
import { assert, assertEquals } from "../assert.ts";
import { FIELDS, fulfils, ROUTES, SCOPES, sees, smallPolicies, TOKENS } from "./small.ts";

const RUNS = { numRuns: 1_500 };
const TODAY = "2026-12-01";

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const scopePatterns = fc.subarray([...SCOPES, "*.read", "*.write", "a.*", "*", "acr:*"], {
  maxLength: 3,
});
const callPatterns = fc.subarray([...ROUTES, "reads", "writes", "*", "GET *", ...FIELDS], {
  minLength: 1,
  maxLength: 3,
});
const fieldPatterns = fc.subarray([...FIELDS, "thing.*"], { minLength: 1 });

/** Statements without undefined members, as JSON has them. */
const statements: fc.Arbitrary<Invariant> = fc.record({
  name: fc.constantFrom("one", "two"),
  tokens: fc.record({
    with: optional(scopePatterns),
    only: optional(scopePatterns),
    without: optional(scopePatterns),
  }),
  canCall: optional(callPatterns),
  cannotCall: optional(callPatterns),
  canSee: optional(fieldPatterns),
  cannotSee: optional(fieldPatterns),
  except: optional(callPatterns),
}).map((one) => JSON.parse(JSON.stringify(one)))
  .filter((one) => one.canCall ?? one.cannotCall ?? one.canSee ?? one.cannotSee);

const safeLists = fc.subarray(["POST /v2/b", "PATCH /v2/a/:id"]).map((list) => new Set(list));

/** Cases that some policy fulfils, in words of the file. */
const cases: fc.Arbitrary<Case[]> = fc.array(
  fc.oneof(
    fc.record({
      call: fc.constantFrom(...ROUTES),
      scopes: fc.subarray([...SCOPES]),
      effect: fc.constant("allow" as const),
    }),
    fc.record({
      field: fc.constantFrom(...FIELDS),
      scopes: fc.subarray([...SCOPES]),
      effect: fc.constant("show" as const),
    }),
  ),
  { maxLength: 6 },
);

const guarded: fc.Arbitrary<GuardedPolicy> = fc.record({
  policy: smallPolicies,
  safe: safeLists,
  invariants: fc.array(statements, { maxLength: 3 }),
  cases,
}).map(({ cases, ...file }) => ({
  file: { ...file, notes: new Map() },
  cases: [{ file: "x.json", cases }],
  approvals: [],
}));

/** Returns whether a statement holds, by trying every token on every call and field. */
function holds(
  one: Invariant,
  { policy, safe }: { policy: Policy; safe: ReadonlySet<string> },
): boolean {
  const scopes = [...policy.scopes.keys()];
  const like = (pattern: string) =>
    new RegExp(`^${pattern.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&").replaceAll("\\*", ".*")}$`);
  const matches = (patterns: readonly string[], name: string) =>
    patterns.some((pattern) => {
      const reads = name.startsWith("GET ") || (name.startsWith("POST ") && safe.has(name));
      if (pattern === "reads") return /^[A-Z]+ /.test(name) && reads;
      if (pattern === "writes") return /^[A-Z]+ /.test(name) && !reads;
      return like(pattern).test(name);
    });
  const isAcr = (name: string) => name.startsWith("acr:");
  const pick = (patterns: readonly string[] = []) =>
    scopes.filter((scope) =>
      matches(patterns.filter((pattern) => isAcr(pattern) === isAcr(scope)), scope)
    );
  const bound = (only: readonly string[]) => pick(only.some(isAcr) ? only : [...only, "acr:*"]);
  const tokens = TOKENS.filter((held) =>
    pick(one.tokens.with).every((scope) => held.has(scope)) &&
    (one.tokens.only === undefined || held.isSubsetOf(new Set(bound(one.tokens.only)))) &&
    pick(one.tokens.without).every((scope) => !held.has(scope))
  );
  const except = one.except ?? [];
  const select = (patterns: readonly string[] | undefined, names: Iterable<string>) =>
    [...names].filter((name) => patterns && matches(patterns, name) && !matches(except, name));
  const { routes, fields } = policy;
  return tokens.every((held) =>
    select(one.canCall, routes.keys()).every((name) => fulfils(routes.get(name), held)) &&
    select(one.cannotCall, routes.keys()).every((name) => !fulfils(routes.get(name), held)) &&
    select(one.canSee, fields.keys()).every((name) => sees(policy, name, held)) &&
    select(one.cannotSee, fields.keys()).every((name) => !sees(policy, name, held))
  );
}

Deno.test("a statement is proven exactly if it holds for every token", () => {
  fc.assert(
    fc.property(guarded, ({ file }) => {
      for (const { invariant, counterexamples } of proveAll(file)) {
        assertEquals(counterexamples.length === 0, holds(invariant, file));
      }
    }),
    RUNS,
  );
});

Deno.test("diffGuards() finds exactly the old statements that the new policy breaks", () => {
  fc.assert(
    fc.property(guarded, guarded, (before, after) => {
      const found = diffGuards({ before, after, today: TODAY })
        .flatMap((guard) =>
          guard.kind === "statement" && guard.state === "broken" ? [guard.statement] : []
        );
      const expected = before.file.invariants.filter((one) =>
        holds(one, before.file) &&
        !holds(one, { policy: after.file.policy, safe: before.file.safe })
      );
      assertEquals(found, expected);
    }),
    RUNS,
  );
});

Deno.test("no statement is lost silently: what is not reported follows from the new ones", () => {
  fc.assert(
    fc.property(
      guarded,
      fc.array(statements, { maxLength: 4 }),
      smallPolicies,
      (before, kept, policy) => {
        // Half of the statements are kept, so that many are covered.
        const invariants = [...before.file.invariants.slice(0, 2), ...kept];
        const after = { ...before, file: { ...before.file, invariants } };
        const lost = diffGuards({ before, after, today: TODAY })
          .flatMap((guard) =>
            guard.kind === "statement" && guard.state !== "broken" ? [guard.statement] : []
          );
        const { safe } = before.file;
        if (!invariants.every((one) => holds(one, { policy, safe }))) return;
        for (const one of before.file.invariants.filter((old) => !lost.includes(old))) {
          assert(holds(one, { policy, safe }), JSON.stringify(one));
        }
      },
    ),
    RUNS,
  );
});

Deno.test("statements cover themselves, in any order and under any name", () => {
  fc.assert(fc.property(statements, fc.array(statements), (one, others) => {
    const renamed = { ...one, name: "other", tokens: { ...one.tokens } };
    assert(isCovered(one, [...others, renamed]));
  }));
});

Deno.test("diffGuards() tells removed cases from those that the change supersedes", () => {
  fc.assert(
    fc.property(guarded, guarded, fc.nat(6), (before, other, kept) => {
      const [file] = before.cases;
      const own: CaseFile = { file: "y.json", cases: file?.cases.slice(0, kept) ?? [] };
      const after = { ...other, cases: [own] };
      const found = diffGuards({ before, after, today: TODAY })
        .flatMap((guard) => guard.kind === "case" ? [[guard.case, guard.state]] : []);
      const passes = (one: Case, { file: { policy } }: GuardedPolicy) => {
        const held = new Set(one.scopes);
        return "call" in one
          ? fulfils(policy.routes.get(one.call), held)
          : sees(policy, one.field, held);
      };
      const isSame = (a: Case, b: Case) => JSON.stringify(a) === JSON.stringify(b);
      const expected = (file?.cases ?? [])
        .filter((one) => !own.cases.some((other) => isSame(one, other)) && passes(one, before))
        .map((one) => [one, passes(one, after) ? "removed" : "superseded"]);
      assertEquals(found, expected);
    }),
    RUNS,
  );
});

Deno.test("diffGuards() reports every new entry of safe", () => {
  fc.assert(fc.property(guarded, guarded, (before, after) => {
    const found = diffGuards({ before, after, today: TODAY })
      .flatMap((guard) => guard.kind === "safe" ? [guard.safe] : []);
    assertEquals(new Set(found), after.file.safe.difference(before.file.safe));
  }));
});

Deno.test("notes change neither the digest nor the review", () => {
  fc.assert(fc.property(guarded, guarded, fc.constantFrom(...ROUTES), (before, after, name) => {
    const notes = new Map([[name, { owner: "@api", because: "So it was." }]]);
    const noted = { ...after, file: { ...after.file, notes } };
    assertEquals(
      reviewChange({ before, after: noted, today: TODAY }),
      reviewChange({ before, after, today: TODAY }),
    );
  }));
});

Deno.test("a completed draft approves everything, and one effect less does not", () => {
  fc.assert(
    fc.property(guarded, guarded, fc.nat(), (before, after, index) => {
      const review = reviewChange({ before, after, today: TODAY });
      const effects = [...review.open.changes, ...review.open.guards];
      assertEquals(isConsented(review), effects.length === 0);
      if (effects.length === 0) return;
      const draft = JSON.parse(draftApproval(review.open, review));
      const complete = { ...draft, owner: "@api", until: TODAY };
      complete.approved = draft.approved.map((one: object) => ({ ...one, because: "Agreed" }));
      const approvals = [parseApproval(JSON.stringify(complete), "x.json")];
      assert(isConsented(reviewChange({ before, after, today: TODAY, approvals })));
      assert(!isConsented(reviewChange({ before, after, today: "2026-12-02", approvals })));
      complete.approved.splice(index % complete.approved.length, 1);
      const fewer = [parseApproval(JSON.stringify(complete), "x.json")];
      const rest = reviewChange({ before, after, today: TODAY, approvals: fewer });
      // Two equal statements are one effect.
      const isDouble = new Set(draft.approved.map((one: object) => JSON.stringify(one))).size <
        draft.approved.length;
      assert(isDouble || !isConsented(rest));
    }),
    RUNS,
  );
});

Deno.test("an approval counts only between its two policies", () => {
  fc.assert(fc.property(guarded, guarded, smallPolicies, (before, after, other) => {
    const review = reviewChange({ before, after, today: TODAY });
    const { changes, guards, open } = review;
    const digests = { before: review.before, after: review.after };
    const draft = JSON.parse(draftApproval(open, digests));
    const approval = { ...draft, owner: "@api", until: TODAY };
    approval.approved = draft.approved.map((one: object) => ({ ...one, because: "Agreed" }));
    for (const member of ["before", "after"] as const) {
      const wrong = { ...approval, [member]: digestOf(other) };
      if (wrong[member] === digests[member]) continue;
      const approvals = [parseApproval(JSON.stringify(wrong), "x.json")];
      const result = judgeConsent({ changes, guards, approvals, today: TODAY, ...digests });
      assertEquals(result.open.changes, changes.filter(({ gains }) => gains.length > 0));
      assertEquals(result.open.guards, guards.filter((guard: GuardChange) => needsConsent(guard)));
      assert(result.approvals.every(({ state }) => state !== "applies"));
    }
  }));
});

Deno.test("removing an approval needs consent until its last day", () => {
  const policy: Policy = { scopes: new Map(), routes: new Map(), fields: new Map() };
  const file = { policy, safe: new Set<string>(), notes: new Map(), invariants: [] };
  const digest = digestOf(policy);
  const approval = parseApproval(
    JSON.stringify({ before: digest, after: digest, owner: "@api", until: TODAY, approved: [] }),
    "policy/approvals/x.json",
  );
  const after = { file, cases: [], approvals: [] };
  const before = { ...after, approvals: [approval] };
  assertEquals(diffGuards({ before, after, today: TODAY }), [
    { kind: "approval", state: "removed", approval: "policy/approvals/x.json" },
  ]);
  assertEquals(diffGuards({ before, after, today: "2026-12-02" }), []);
  assertEquals(diffGuards({ before, after: before, today: TODAY }), []);
});
