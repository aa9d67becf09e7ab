/**
 * How a client asks for the trash: by either of two names, which must agree.
 *
 * @module
 */
import { validationError } from "../../shared/errors.ts";
import { bodyIssue } from "../../shared/validation_issue.ts";

export interface TrashInput {
  readonly archived?: boolean;
  readonly in_trash?: boolean;
}

/**
 * Whether the node is to be in the trash; undefined where the input says nothing of it.
 * Throws `validation_error` where the two names disagree.
 */
export function wantsTrash({ archived, in_trash }: TrashInput): boolean | undefined {
  if (archived !== undefined && in_trash !== undefined && archived !== in_trash) {
    throw validationError([
      bodyIssue("/archived", { expected: "the same as `in_trash`", received: archived }),
    ]);
  }
  return in_trash ?? archived;
}
