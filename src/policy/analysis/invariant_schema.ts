/**
 * Statements about a policy, as its file writes them.
 *
 * @module
 */
import * as v from "valibot";

/** What an object's schema says of its members, in our words. */
export function describeMembers(issue: v.StrictObjectIssue): string {
  if (issue.expected === "never") return `There is no member ${issue.received}`;
  if (issue.received === "undefined") return `The member ${issue.expected} is missing`;
  return `Expected an object: got ${issue.received}`;
}

const names = v.pipe(v.array(v.string()), v.minLength(1, "A list without names"));

export const invariant = v.pipe(
  v.strictObject({
    name: v.pipe(v.string(), v.minLength(1, "The name is empty")),
    tokens: v.strictObject({
      with: v.optional(v.array(v.string())),
      only: v.optional(v.array(v.string())),
      without: v.optional(v.array(v.string())),
    }, describeMembers),
    canCall: v.optional(names),
    cannotCall: v.optional(names),
    canSee: v.optional(names),
    cannotSee: v.optional(names),
    except: v.optional(names),
  }, describeMembers),
  v.check(
    (one) => [one.canCall, one.cannotCall, one.canSee, one.cannotSee].some(Boolean),
    "Expected one of canCall, cannotCall, canSee, cannotSee",
  ),
);

/**
 * A statement about all tokens of a kind: those that hold every scope of `with`, no other than those
 * of `only` (default: any), and none of `without`. In its lists `*` stands for any characters, and
 * `reads` and `writes` for all calls that do so.
 */
export type Invariant = v.InferOutput<typeof invariant>;
