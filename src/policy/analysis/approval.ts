/**
 * Approvals: the consent of an owner to the exact effects of one change, until a date.
 *
 * @module
 */
import * as v from "valibot";
import { caseSchema } from "./cases.ts";
import type { Change } from "./diff.ts";
import { caseKey, type GuardChange, needsConsent } from "./guards.ts";
import { FileError } from "../issue.ts";
import { invariant } from "./invariant_schema.ts";
import { printJson } from "../lint/print_json.ts";
import { readJson } from "../lint/source.ts";
import { toShapeIssue } from "../schema.ts";
import { findInvisibleTexts } from "../visible_json.ts";
import { toVisible } from "../../shared/visible_text.ts";

const gains = v.pipe(v.array(v.array(v.string())), v.minLength(1, "The list is empty"));
const because = v.pipe(v.string(), v.regex(/\S/, "Give a reason"));
const digest = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{64}$/, "Expected the digest of a policy: 64 hexadecimal digits"),
);

const approvalSchema = v.strictObject({
  $schema: v.optional(v.string()),
  before: digest,
  after: digest,
  owner: v.pipe(v.string(), v.regex(/\S/, "Name the owner who agrees")),
  until: v.pipe(v.string(), v.isoDate("Give an end date, such as 2026-12-31")),
  approved: v.array(v.union(
    [
      v.strictObject({ call: v.string(), gains, because }),
      v.strictObject({ field: v.string(), gains, because }),
      v.strictObject({
        statement: invariant,
        change: v.picklist(["broken", "removed", "weakened"]),
        becomes: v.optional(v.array(invariant), []),
        because,
      }),
      v.strictObject({ safe: v.string(), because }),
      v.strictObject({ case: caseSchema, because }),
      v.strictObject({ approval: v.string(), because }),
    ],
    'Expected {"call" or "field", "gains"}, {"statement", "change"}, {"safe"}, {"case"} or {"approval"}, each with a reason in "because"',
  )),
});

export type Approval = v.InferOutput<typeof approvalSchema>;

/** An approval and the file that it was read from. */
export type ApprovalFile = Approval & { readonly file: string };

type Consent = Approval["approved"][number];

/** Parses an approval file; throws `FileError`. */
export function parseApproval(text: string, file: string): ApprovalFile {
  const value = readJson(text, { file });
  const parsed = v.safeParse(approvalSchema, value);
  const issues = [...(parsed.issues ?? []).map(toShapeIssue), ...findInvisibleTexts(value)];
  if (parsed.success && issues.length === 0) return { ...parsed.output, file };
  throw new FileError(
    issues.map(({ path, detail }) => toVisible(`${`${file} ${path.join(".")}`.trim()}: ${detail}`))
      .join("\n"),
  );
}

/** The effects of a change for which somebody's consent is needed. */
export interface Effects {
  readonly changes: readonly Change[];
  readonly guards: readonly GuardChange[];
}

/** The state of one approval for a change. */
export interface ApprovalState {
  readonly file: string;
  readonly owner: string;
  /**
   * `used`: its change is already part of the old policy. `other`: it is for another change.
   * Only approvals that apply count.
   */
  readonly state: "applies" | "ended" | "used" | "other";
  readonly until: string;
  /** Effects that it approves and the change does not have, in words. */
  readonly unneeded: readonly string[];
}

export interface ConsentOptions extends Effects {
  readonly approvals: readonly ApprovalFile[];
  /** Digests of both policies. */
  readonly before: string;
  readonly after: string;
  /** `2026-12-31` */
  readonly today: string;
}

export interface ConsentResult {
  /** The effects that no approval covers. */
  readonly open: Effects;
  readonly approvals: readonly ApprovalState[];
}

/**
 * Compares the effects of a change with approvals. Consent is given effect by effect and set by
 * set: consent to one token does not include a smaller one.
 */
export function judgeConsent(options: ConsentOptions): ConsentResult {
  const { changes, guards } = options;
  const applying = options.approvals.filter((one) => stateOf(one, options) === "applies");
  const consented = new Set(applying.flatMap(({ approved }) => approved.flatMap(keysOf)));
  const needed = new Set([...changes.flatMap(changeKeys), ...guards.map(guardKey)]);
  return {
    open: {
      changes: changes.map((change) => ({
        ...change,
        gains: change.gains.filter((set) => !consented.has(gainKey(change.kind, change.name, set))),
      })).filter((change) => change.gains.length > 0),
      guards: guards.filter((guard) => needsConsent(guard) && !consented.has(guardKey(guard))),
    },
    approvals: options.approvals.map((one) => {
      const state = stateOf(one, options);
      const { file, owner, until, approved } = one;
      const unneeded = state === "applies"
        ? approved.filter((consent) => keysOf(consent).some((key) => !needed.has(key))).map(nameOf)
        : [];
      return { file, owner, state, until, unneeded };
    }),
  };
}

function stateOf(
  approval: Approval,
  { before, after, today }: ConsentOptions,
): ApprovalState["state"] {
  if (approval.until < today) return "ended";
  if (approval.before === before && approval.after === after) return "applies";
  return approval.after === before ? "used" : "other";
}

/** Returns an approval of all effects, for their owner to complete. */
export function draftApproval(
  { changes, guards }: Effects,
  digests: { readonly before: string; readonly after: string },
): string {
  const approved = [
    ...changes.filter((change) => change.gains.length > 0)
      .map(({ kind, name, gains }) => ({ [kind]: name, gains, because: "" })),
    ...guards.filter(needsConsent).map((guard) => ({ ...draftGuard(guard), because: "" })),
  ];
  const { before, after } = digests;
  return printJson({ before, after, owner: "", until: "", approved }, {
    spread: (path) => path.length < 3,
  });
}

function draftGuard(guard: GuardChange): Record<string, unknown> {
  if (guard.kind === "safe") return { safe: guard.safe };
  if (guard.kind === "case") return { case: guard.case };
  if (guard.kind === "approval") return { approval: guard.approval };
  const { statement, state, becomes } = guard;
  return { statement, change: state, ...(becomes.length > 0 && { becomes }) };
}

function changeKeys({ kind, name, gains }: Change): string[] {
  return gains.map((set) => gainKey(kind, name, set));
}

function keysOf(consent: Consent): string[] {
  if ("call" in consent) return consent.gains.map((set) => gainKey("call", consent.call, set));
  if ("field" in consent) return consent.gains.map((set) => gainKey("field", consent.field, set));
  if ("safe" in consent) return [toKey(["safe", consent.safe])];
  if ("case" in consent) return [toKey(["case", caseKey(consent.case)])];
  if ("approval" in consent) return [toKey(["approval", consent.approval])];
  return [toKey(["statement", consent.change, consent.statement, consent.becomes])];
}

function guardKey(guard: GuardChange): string {
  if (guard.kind === "safe") return toKey(["safe", guard.safe]);
  if (guard.kind === "case") return toKey(["case", caseKey(guard.case)]);
  if (guard.kind === "approval") return toKey(["approval", guard.approval]);
  return toKey(["statement", guard.state, guard.statement, guard.becomes]);
}

function gainKey(kind: Change["kind"], name: string, scopes: readonly string[]): string {
  return toKey([kind, name, [...new Set(scopes)].sort()]);
}

/** Members count in any order. */
function toKey(value: unknown): string {
  return JSON.stringify(
    value,
    (_, member) =>
      typeof member === "object" && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
  );
}

function nameOf(consent: Consent): string {
  if ("call" in consent) return consent.call;
  if ("field" in consent) return consent.field;
  if ("safe" in consent) return `safe ${consent.safe}`;
  if ("case" in consent) {
    return `a case of ${"call" in consent.case ? consent.case.call : consent.case.field}`;
  }
  if ("approval" in consent) return consent.approval;
  return `"${consent.statement.name}" ${consent.change}`;
}
