/**
 * The schema of statements about a policy.
 *
 * @module
 */
import * as v from "valibot";

/** Returns the message for an unknown or missing member, or for a value that is not an object. */
export function describeMembers(issue: v.StrictObjectIssue): string {
  if (issue.expected === "never") return `Unknown member ${issue.received}`;
  if (issue.received === "undefined") return `The member ${issue.expected} is missing`;
  return `Expected an object, got ${issue.received}`;
}

const names = v.pipe(v.array(v.string()), v.minLength(1, "The list is empty"));

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
    "Expected at least one of canCall, cannotCall, canSee, cannotSee",
  ),
);

/**
 * A statement about all tokens that have every scope of `with`, no scope outside `only` (default: any)
 * and no scope of `without`. How users sign in counts as a scope `acr:VALUE`, which only patterns that
 * begin with `acr:` match; without such a pattern, `only` allows all. In all lists `*` matches any characters; `reads` and `writes` match all
 * calls of that kind.
 */
export type Invariant = v.InferOutput<typeof invariant>;
