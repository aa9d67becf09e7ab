/**
 * Fields that the policy guards: who may not see them cannot filter, sort or count by them either.
 *
 * @module
 */
import type { FieldPath } from "../../http/redact.ts";
import type { ValidationIssue } from "../../shared/errors.ts";

/** A part of a search, and the members of pages and databases that its result depends on. */
export interface Guarded {
  readonly pointer: string;
  readonly members: readonly string[];
}

/** Returns an issue if the caller may not see one of the members, or a part of it. */
export function guardedIssue(
  hidden: readonly FieldPath[],
  { pointer, members }: Guarded,
): ValidationIssue | undefined {
  const field = hidden.find(({ object, keys: [member = ""] }) =>
    (object === "page" || object === "database") && members.includes(member)
  );
  if (field === undefined) return undefined;
  const name = [field.object, ...field.keys].join(".");
  return { pointer, detail: `Remove this: your token may not see \`${name}\`.` };
}
