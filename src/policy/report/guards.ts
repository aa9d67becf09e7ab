/**
 * Reports guards that a change drops or weakens, and what approvals are worth.
 *
 * @module
 */
import type { ApprovalState } from "../analysis/approval.ts";
import type { GuardChange } from "../analysis/guards.ts";
import { inWords } from "../lint/names.ts";
import { titleOf } from "./outcomes.ts";

/** Returns one line about a lost guard: `statement removed: Read scopes cannot write`. */
export function guardLine(guard: GuardChange): string {
  switch (guard.kind) {
    case "safe":
      return `call now counts as reading: ${guard.safe}`;
    case "approval":
      return `approval removed: ${guard.approval}`;
    case "case":
      return `case ${guard.state}: ${titleOf(guard.case)}: ${guard.case.effect}`;
    case "statement":
      return `statement ${guard.state}: ${guard.statement.name}${refutationOf(guard)}`;
  }
}

function refutationOf(
  { counterexample }: Extract<GuardChange, { readonly kind: "statement" }>,
): string {
  if (counterexample === undefined) return "";
  const { scopes, effect, target } = counterexample;
  return ` (a token with ${inWords(scopes)} ${effect} ${target})`;
}

/** Returns what is wrong with an approval for this change; undefined if nothing is. */
export function approvalLine({ file, owner, state, until, unneeded }: ApprovalState):
  | string
  | undefined {
  if (state === "ended") return `${file}: ended on ${until}, delete it or ask ${owner} again`;
  if (state === "other") return `${file}: is for another change and approves nothing here`;
  if (unneeded.length === 0) return undefined;
  return `${file}: approves more than this change does: ${unneeded.join(", ")}`;
}
