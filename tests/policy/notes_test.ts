import fc from "fast-check";
import type { ApprovalFile } from "../../src/policy/analysis/approval.ts";
import { diffGuards } from "../../src/policy/analysis/guards.ts";
import { proveAll } from "../../src/policy/analysis/invariants.ts";
import { digestOf } from "../../src/policy/digest.ts";
import { createEngine } from "../../src/policy/engine.ts";
import { formatPolicy } from "../../src/policy/lint/format.ts";
import { readSource } from "../../src/policy/lint/source.ts";
import { check } from "../../src/policy/lint/check.ts";
import { noteLines, notesOn } from "../../src/policy/report/notes.ts";
import { type Note, parsePolicyFile, type Policy, type Rule } from "../../src/policy/schema.ts";
import { isVisible } from "../../src/shared/visible_text.ts";
import { assert, assertEquals } from "../assert.ts";
import { FIELDS, ROUTES, SCOPES, smallPolicies, TOKENS } from "./small.ts";

const text = fc.string({ unit: "grapheme", minLength: 1 })
  .filter((one) => /\S/.test(one) && isVisible(one));

const notes: fc.Arbitrary<Record<string, Note>> = fc.dictionary(
  fc.constantFrom(...SCOPES, ...ROUTES, ...FIELDS),
  fc.oneof(
    fc.record({ owner: text }),
    fc.record({ because: text }),
    fc.record({ owner: text, because: text }),
  ),
);

const STATEMENT = { name: "Everyone reads c", tokens: {}, canCall: ["GET /v2/c"] };

/** A policy as its file writes it; scopes that no rule uses are left out, as the schema demands. */
function fileOf(policy: Policy, notes?: Record<string, Note>): string {
  const write = ({ public: isPublic, alternatives }: Rule) =>
    isPublic ? "public" : { anyOf: alternatives };
  const table = (rules: ReadonlyMap<string, Rule>) =>
    Object.fromEntries([...rules].map(([name, rule]) => [name, write(rule)]));
  const rules = [...policy.routes.values(), ...policy.fields.values()];
  const used = new Set(rules.flatMap(({ alternatives }) => alternatives.flat()));
  const scopes = [...policy.scopes].filter(([scope]) => used.has(scope));
  return JSON.stringify({
    scopes: Object.fromEntries(scopes),
    routes: table(policy.routes),
    fields: table(policy.fields),
    ...(notes && { notes }),
    invariants: [STATEMENT],
  });
}

Deno.test("notes change no decision, proof, digest or error, and every format keeps them", () => {
  fc.assert(
    fc.property(smallPolicies, notes, (policy, own) => {
      const [plain, noted] = [fileOf(policy), fileOf(policy, own)];
      const [before, after] = [parsePolicyFile(plain), parsePolicyFile(noted)];
      assertEquals(Object.fromEntries(after.notes), own);
      assertEquals(digestOf(after.policy), digestOf(before.policy));
      assertEquals(proveAll(after), proveAll(before));
      const [old, fresh] = [createEngine(before.policy), createEngine(after.policy)];
      for (const held of TOKENS) {
        const [a, b] = [old.grant(held), fresh.grant(held)];
        assertEquals(b.hiddenFields, a.hiddenFields);
        for (const route of ROUTES) {
          assertEquals(fresh.decide(route, b), old.decide(route, a));
        }
      }
      const codes = (file: string) =>
        check({ source: readSource("x.json", file) }).map(({ code }) => code)
          .filter((code) => code !== "unknown-note").sort();
      assertEquals(codes(noted), codes(plain));
      assertEquals(Object.fromEntries(parsePolicyFile(formatPolicy(noted)).notes), own);
    }),
    { numRuns: 300 },
  );
});

Deno.test("check finds exactly the notes about nothing", () => {
  fc.assert(
    fc.property(smallPolicies, notes, (policy, own) => {
      const file = fileOf(policy, own);
      const { policy: parsed } = parsePolicyFile(file);
      const isKnown = (name: string) =>
        parsed.scopes.has(name) || parsed.routes.has(name) || parsed.fields.has(name);
      const found = check({ source: readSource("x.json", file) })
        .filter(({ code }) => code === "unknown-note").length;
      assertEquals(found, Object.keys(own).filter((name) => !isKnown(name)).length);
    }),
    { numRuns: 500 },
  );
});

Deno.test("reports show each note once, and no other", () => {
  const names = fc.array(fc.constantFrom(...SCOPES, ...ROUTES, ...FIELDS));
  fc.assert(
    fc.property(notes, names, (own, asked) => {
      const table = new Map(Object.entries(own));
      const expected = [...new Set(asked)].filter((name) => table.has(name));
      assertEquals(Object.keys(notesOn(asked, table)).sort(), expected.sort());
      const lines = noteLines(asked, table);
      for (const name of expected) {
        assert(lines.includes(`note   ${name}: ${table.get(name)?.owner ?? ""}`));
      }
      if (expected.length === 0) assertEquals(lines, "");
    }),
  );
});

Deno.test("a lost approval is reported exactly until its last day, wherever its file lies", () => {
  const days = ["2026-11-30", "2026-12-01", "2026-12-02"] as const;
  const approval: fc.Arbitrary<ApprovalFile> = fc.record({
    file: fc.constantFrom("a.json", "b.json", "c/a.json"),
    before: fc.constantFrom("0".repeat(64), "1".repeat(64)),
    after: fc.constant("2".repeat(64)),
    owner: fc.constantFrom("@api", "@web"),
    until: fc.constantFrom(...days),
    approved: fc.constant([]),
  });
  const content = ({ file: _, ...one }: ApprovalFile) => JSON.stringify(one);
  const lists = fc.array(approval, { maxLength: 5 });
  fc.assert(
    fc.property(
      smallPolicies,
      lists,
      lists,
      fc.constantFrom(...days),
      (policy, old, kept, today) => {
        const file = { policy, safe: new Set<string>(), notes: new Map(), invariants: [] };
        const found = diffGuards({
          before: { file, cases: [], approvals: old },
          after: { file, cases: [], approvals: kept },
          today,
        });
        const expected = old.filter((one) =>
          one.until >= today && !kept.some((other) => content(other) === content(one))
        ).map((one) => ({ kind: "approval", state: "removed", approval: one.file } as const));
        assertEquals(found, expected);
      },
    ),
    { numRuns: 1_000 },
  );
});
