/**
 * The two fields of requests that move an object to the trash, which must agree.
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
 * Returns whether the node is to be in the trash; undefined if the input has neither field. Throws
 * `validation_error` if the fields disagree.
 */
export function wantsTrash({ archived, in_trash }: TrashInput): boolean | undefined {
  if (archived !== undefined && in_trash !== undefined && archived !== in_trash) {
    throw validationError([
      bodyIssue("/archived", { expected: "the same as `in_trash`", received: archived }),
    ]);
  }
  return in_trash ?? archived;
}
