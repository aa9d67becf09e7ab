/**
 * Approvals: a reviewer's consent to exact gains.
 *
 * @module
 */
import * as v from "valibot";
import type { Change } from "./diff.ts";
import { FileError } from "../issue.ts";
import { printJson } from "../lint/print_json.ts";
import { readJson } from "../lint/source.ts";

const gains = v.pipe(v.array(v.array(v.string())), v.minLength(1, "The list is empty"));
const because = v.pipe(v.string(), v.regex(/\S/, "Give a reason"));

const approvalSchema = v.strictObject({
  approved: v.array(v.union([
    v.strictObject({ call: v.string(), gains, because }),
    v.strictObject({ field: v.string(), gains, because }),
  ], 'Expected {"call" or "field", "gains", "because"}, and a reason in "because"')),
});

export type Approval = v.InferOutput<typeof approvalSchema>;

/** Parses an approval file; throws `FileError`. */
export function parseApproval(text: string, file: string): Approval {
  const parsed = v.safeParse(approvalSchema, readJson(text, { file }));
  if (parsed.success) return parsed.output;
  throw new FileError(
    parsed.issues.map((issue) =>
      `${`${file} ${v.getDotPath(issue) ?? ""}`.trim()}: ${issue.message}`
    )
      .join("\n"),
  );
}

/**
 * Returns the gains that an approval does not cover. Approval is given set by set: consent to one
 * token does not include a smaller one.
 */
export function unapproved(changes: readonly Change[], { approved }: Approval): Change[] {
  const consented = new Set(approved.flatMap((one) => {
    const target = "call" in one ? targetKey("call", one.call) : targetKey("field", one.field);
    return one.gains.map((scopes) => `${target} ${setKey(scopes)}`);
  }));
  return changes.map((change) => ({
    ...change,
    gains: change.gains.filter((scopes) =>
      !consented.has(`${targetKey(change.kind, change.name)} ${setKey(scopes)}`)
    ),
  })).filter((change) => change.gains.length > 0);
}

/** Returns an approval of all gains, for a reviewer to fill in the reasons. */
export function draftApproval(changes: readonly Change[]): string {
  const approved = changes.filter((change) => change.gains.length > 0)
    .map(({ kind, name, gains }) => ({ [kind]: name, gains, because: "" }));
  return printJson({ approved }, { spread: (path) => path.length < 3 });
}

function targetKey(kind: Change["kind"], name: string): string {
  return JSON.stringify([kind, name]);
}

function setKey(scopes: readonly string[]): string {
  return JSON.stringify([...new Set(scopes)].sort());
}
