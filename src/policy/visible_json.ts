/**
 * Finds texts in JSON that reviewers could not see as they are.
 *
 * @module
 */
import { isVisible } from "../shared/visible_text.ts";
import type { ShapeIssue } from "./schema.ts";

const DETAIL = "The text is not one line of visible characters";

/** Returns an issue for each name and each text that has other than visible characters. */
export function findInvisibleTexts(value: unknown, path: readonly string[] = []): ShapeIssue[] {
  if (typeof value === "string") {
    return isVisible(value) ? [] : [{ path, inName: false, detail: DETAIL }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const own = [...path, name];
    const issues = findInvisibleTexts(member, own);
    return isVisible(name) ? issues : [{ path: own, inName: true, detail: DETAIL }, ...issues];
  });
}
