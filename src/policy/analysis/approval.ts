/**
 * A reviewer's consent to exact gains.
 *
 * @module
 */
import * as v from "valibot";
import type { Change } from "./diff.ts";
import { FileError } from "../issue.ts";
import { printJson } from "../lint/print_json.ts";
import { readJson } from "../lint/source.ts";

const gains = v.pipe(v.array(v.array(v.string())), v.minLength(1, "A list without tokens"));
const because = v.pipe(v.string(), v.regex(/\S/, "Say why"));

const approvalSchema = v.strictObject({
  approved: v.array(v.union([
    v.strictObject({ call: v.string(), gains, because }),
    v.strictObject({ field: v.string(), gains, because }),
  ], 'Expected {"call" or "field", "gains", "because"}, and a reason in "because"')),
});

/** A file of them. */
export type Approval = v.InferOutput<typeof approvalSchema>;

/** Reads an approval; throws `FileError` with what is wrong with it. */
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
 * The gains that an approval does not name. Each is approved by its own name, set by set: consent to
 * one token is none to a smaller one.
 */
export function unapproved(changes: readonly Change[], { approved }: Approval): Change[] {
  const consented = new Set(approved.flatMap((one) => {
    const target = "call" in one ? keyOf("call", one.call) : keyOf("field", one.field);
    return one.gains.map((scopes) => `${target} ${keyOfSet(scopes)}`);
  }));
  return changes.map((change) => ({
    ...change,
    gains: change.gains.filter((scopes) =>
      !consented.has(`${keyOf(change.kind, change.name)} ${keyOfSet(scopes)}`)
    ),
  })).filter((change) => change.gains.length > 0);
}

/** An approval of everything that a change opens, for a reviewer to give reasons. */
export function draftApproval(changes: readonly Change[]): string {
  const approved = changes.filter((change) => change.gains.length > 0)
    .map(({ kind, name, gains }) => ({ [kind]: name, gains, because: "" }));
  return printJson({ approved }, { spread: (path) => path.length < 3 });
}

function keyOf(kind: Change["kind"], name: string): string {
  return JSON.stringify([kind, name]);
}

function keyOfSet(scopes: readonly string[]): string {
  return JSON.stringify([...new Set(scopes)].sort());
}
