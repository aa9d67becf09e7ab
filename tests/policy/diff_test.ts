import fc from "fast-check";
import { draftApproval, parseApproval, unapproved } from "../../src/policy/analysis/approval.ts";
import { type Change, diffPolicies, effectOf } from "../../src/policy/analysis/diff.ts";
import { FileError } from "../../src/policy/issue.ts";
import type { Policy } from "../../src/policy/schema.ts";
import { assert, assertEquals, assertThrows } from "../assert.ts";
import { FIELDS, fulfils, ROUTES, sees, smallest, smallPolicies, TOKENS } from "./small.ts";

const RUNS = { numRuns: 2_000 };

type Can = (held: ReadonlySet<string>) => boolean;

/** What changes of one call or field, by trying every token. */
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

function approve(gains: string[][], name = WIDER.name): Change[] {
  const text = JSON.stringify({ approved: [{ call: name, gains, because: "It is safe" }] });
  return unapproved([WIDER], parseApproval(text, "x.json"));
}

Deno.test("unapproved() compares approvals set by set, in any order of scopes", () => {
  assertEquals(approve([["a.read"], ["c.read", "b.read"]]), []);
  assertEquals(approve([["a.read"]])[0]?.gains, [["b.read", "c.read"]]);
  assertEquals(approve([["a.read", "b.read"], ["b.read"]])[0]?.gains, WIDER.gains);
  assertEquals(approve([["a.read"], ["b.read", "c.read"]], "GET /v2/b")[0]?.gains, WIDER.gains);
});

Deno.test("unapproved() tells a field from a call of the same name", () => {
  const text = JSON.stringify({
    approved: [{ field: WIDER.name, gains: WIDER.gains, because: "It is safe" }],
  });
  assertEquals(unapproved([WIDER], parseApproval(text, "x.json")).length, 1);
});

Deno.test("a drafted approval covers everything once a person gives the reasons", () => {
  fc.assert(fc.property(smallPolicies, smallPolicies, (before, after) => {
    const changes = diffPolicies(before, after);
    const draft = draftApproval(changes);
    if (effectOf(changes) === "wider") {
      const error = assertThrows(() => parseApproval(draft, "x.json"), FileError);
      assert(error.message.includes("Give a reason"), error.message);
    }
    const signed = draft.replaceAll('"because": ""', '"because": "Agreed"');
    assertEquals(unapproved(changes, parseApproval(signed, "x.json")), []);
  }));
});
