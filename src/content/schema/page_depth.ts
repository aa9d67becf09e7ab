/**
 * Limits how deep pages and databases lie in each other.
 *
 * @module
 */
import { validationError } from "../../shared/errors.ts";
import { LIMITS } from "../values/limits.ts";

/**
 * Throws `validation_error` if a page or database may not be so deep, at the top of the workspace 1. The
 * object that names its parent is at `at` in the body.
 */
export function requirePageDepth(depth: number, at = ""): void {
  if (depth <= LIMITS.pageDepth) return;
  throw validationError([{
    pointer: `${at}/parent`,
    detail: `Pages and databases can be at most ${LIMITS.pageDepth} levels deep in each other.`,
  }]);
}
