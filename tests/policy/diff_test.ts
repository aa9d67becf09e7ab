import fc from "fast-check";
import { draftApproval, judgeConsent, parseApproval } from "../../src/policy/analysis/approval.ts";
import { type Change, diffPolicies, effectOf } from "../../src/policy/analysis/diff.ts";
import { FileError } from "../../src/policy/issue.ts";
import type { Policy } from "../../src/policy/schema.ts";
import { assert, assertEquals, assertThrows } from "../assert.ts";
import { FIELDS, fulfils, ROUTES, sees, smallest, smallPolicies, TOKENS } from "./small.ts";

const RUNS = { numRuns: 2_000 };

type Can = (held: ReadonlySet<string>) => boolean;

/** Returns the changes of one call or field, found by trying every token. */
function slowChange(before: Can, after: Can): Pick<Change, "gains" | "losses"> {
  return {
    gains: smallest((held) => after(held) && !before(held)),
    losses: smallest((held) => before(held) && !after(held)),
  };
}

function slowDiff(before: Policy, after: Policy): Map<string, Pick<Change, "gains" | "losses">> {
  const calls = ROUTES.map((name) =>
    [
      name,
      slowChange(
        (held) => fulfils(before.routes.get(name), held),
        (held) => fulfils(after.routes.get(name), held),
      ),
    ] as const
  );
  const fields = FIELDS.map((name) =>
    [
      name,
      slowChange((held) => sees(before, name, held), (held) => sees(after, name, held)),
    ] as const
  );
  return new Map(
    [...calls, ...fields].filter(([, { gains, losses }]) => gains.length + losses.length > 0),
  );
}

Deno.test("diffPolicies() returns exactly the smallest tokens that gain and lose", () => {
  fc.assert(
    fc.property(smallPolicies, smallPolicies, (before, after) => {
      const changes = diffPolicies(before, after);
      const found = new Map(
        changes.map((
          { name, gains, losses },
        ) => [name, { gains: [...gains], losses: [...losses] }]),
      );
      const expected = slowDiff(before, after);
      assertEquals(new Set(found.keys()), new Set(expected.keys()));
      for (const [name, change] of expected) assertEquals(found.get(name), change, name);
    }),
    RUNS,
  );
});

Deno.test("effectOf() returns wider exactly if some token gains something", () => {
  fc.assert(
    fc.property(smallPolicies, smallPolicies, (before, after) => {
      const gains = TOKENS.some((held) =>
        ROUTES.some((name) =>
          fulfils(after.routes.get(name), held) && !fulfils(before.routes.get(name), held)
        ) || FIELDS.some((name) => sees(after, name, held) && !sees(before, name, held))
      );
      assertEquals(effectOf(diffPolicies(before, after)) === "wider", gains);
    }),
    RUNS,
  );
});

Deno.test("diffPolicies() finds nothing between a policy and itself", () => {
  fc.assert(fc.property(smallPolicies, (policy) => {
    assertEquals(diffPolicies(policy, policy), []);
    assertEquals(effectOf([]), "same");
  }));
});

Deno.test("diffPolicies() marks calls and fields as added, removed or changed", () => {
  const rule = { public: false, alternatives: [["a.read"]] };
  const open = { public: true, alternatives: [] };
  const policy = (routes: Policy["routes"], fields: Policy["fields"]): Policy => ({
    scopes: new Map(),
    routes,
    fields,
  });
  const before = policy(new Map([["GET /a", rule], ["GET /b", rule]]), new Map([["t.x", rule]]));
  const after = policy(new Map([["GET /c", rule], ["GET /b", open]]), new Map());
  assertEquals(diffPolicies(before, after), [
    { kind: "call", name: "GET /c", state: "added", gains: [["a.read"]], losses: [] },
    { kind: "call", name: "GET /b", state: "changed", gains: [[]], losses: [] },
    { kind: "call", name: "GET /a", state: "removed", gains: [], losses: [["a.read"]] },
    { kind: "field", name: "t.x", state: "removed", gains: [[]], losses: [] },
  ]);
});

const WIDER: Change = {
  kind: "call",
  name: "POST /v2/b",
  state: "changed",
  gains: [["a.read"], ["b.read", "c.read"]],
  losses: [["b.write"]],
};

const DIGESTS = { before: "0".repeat(64), after: "1".repeat(64) };

function consentTo(approved: unknown[], changes: readonly Change[] = [WIDER]): readonly Change[] {
  const approval = { ...DIGESTS, owner: "@api", until: "2026-12-31", approved };
  const approvals = [parseApproval(JSON.stringify(approval), "x.json")];
  return judgeConsent({ changes, guards: [], approvals, today: "2026-12-31", ...DIGESTS })
    .open.changes;
}

function approve(gains: string[][], name = WIDER.name): readonly Change[] {
  return consentTo([{ call: name, gains, because: "It is safe" }]);
}

Deno.test("judgeConsent() compares approvals set by set, in any order of scopes", () => {
  assertEquals(approve([["a.read"], ["c.read", "b.read"]]), []);
  assertEquals(approve([["a.read"]])[0]?.gains, [["b.read", "c.read"]]);
  assertEquals(approve([["a.read", "b.read"], ["b.read"]])[0]?.gains, WIDER.gains);
  assertEquals(approve([["a.read"], ["b.read", "c.read"]], "GET /v2/b")[0]?.gains, WIDER.gains);
});

Deno.test("judgeConsent() tells a field from a call of the same name", () => {
  const field = { field: WIDER.name, gains: WIDER.gains, because: "It is safe" };
  assertEquals(consentTo([field]).length, 1);
});

Deno.test("a drafted approval covers everything once its owner completes it", () => {
  fc.assert(fc.property(smallPolicies, smallPolicies, (before, after) => {
    const changes = diffPolicies(before, after);
    const draft = draftApproval({ changes, guards: [] }, DIGESTS);
    const error = assertThrows(() => parseApproval(draft, "x.json"), FileError);
    assert(error.message.includes("Name the owner"), error.message);
    const signed = draft.replaceAll('"because": ""', '"because": "Agreed"');
    assertEquals(consentTo(JSON.parse(signed).approved, changes), []);
  }));
});
