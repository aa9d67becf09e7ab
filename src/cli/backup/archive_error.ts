/**
 * The errors of damaged or unsuitable archives.
 *
 * @module
 */
import { OperatorError } from "../../store/operator_error.ts";

/** Says in a sentence which member of an archive is damaged, and how. */
export class ArchiveError extends OperatorError {
  override name = "ArchiveError";
}

/** Creates the error of a damaged member. */
export function damaged(member: string, how: string): ArchiveError {
  return new ArchiveError(`The archive is damaged at ${member}: ${how}`);
}
