/**
 * `unknown-route`: a statement or the list `safe` names a call without a rule.
 *
 * @module
 */
import { callsOf } from "../../analysis/invariants.ts";
import { createSuggester } from "../suggest.ts";
import { matching } from "../names.ts";
import type { Path } from "../source.ts";
import type { PolicyRule, Subject } from "./rule.ts";

/** Keywords that may match no call. */
const KINDS: readonly string[] = ["reads", "writes"];

export const unknownRoute: PolicyRule = {
  code: "unknown-route",
  summary: "A statement or the list safe names a call without a rule",
  level: "error",
  on: "policy",
  find(subject) {
    const suggest = createSuggester(subject.file.policy.routes.keys());
    return [...safeCalls(subject), ...statedCalls(subject)]
      .filter(({ pattern, names }) => names.length === 0 && !KINDS.includes(pattern))
      .map(({ pattern, path }) => ({
        span: subject.source.valueAt(path),
        message: `No rule matches "${pattern}"`,
        hint: suggest(pattern),
      }));
  },
};

interface CallPattern {
  readonly pattern: string;
  readonly path: Path;
  /** The names that it matches. */
  readonly names: readonly string[];
}

function safeCalls({ file: { safe, policy } }: Subject): CallPattern[] {
  return [...safe].map((pattern, index) => ({
    pattern,
    path: ["safe", index],
    names: policy.routes.has(pattern) ? [pattern] : [],
  }));
}

function statedCalls({ file: { safe, policy, invariants } }: Subject): CallPattern[] {
  return invariants.flatMap((invariant, index) =>
    (["canCall", "cannotCall", "except"] as const).flatMap((member) =>
      (invariant[member] ?? []).map((pattern, at) => ({
        pattern,
        path: ["invariants", index, member, at],
        names: [
          ...callsOf(pattern, { routes: policy.routes.keys(), safe }),
          ...(member === "except" ? matching(pattern, policy.fields.keys()) : []),
        ],
      }))
    )
  );
}
