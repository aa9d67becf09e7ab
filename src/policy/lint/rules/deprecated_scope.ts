/**
 * `deprecated-scope`: every alternative of a rule requires a deprecated scope.
 *
 * @module
 */
import { listsOf, type PolicyRule } from "./rule.ts";

/** Matches the description of a deprecated scope. */
const MARK = /^deprecated\b/i;

export const deprecatedScope: PolicyRule = {
  code: "deprecated-scope",
  summary: "Every alternative of a rule requires a deprecated scope",
  level: "warning",
  on: "policy",
  find(subject) {
    const { policy } = subject.file;
    const deprecated = [...policy.scopes].filter(([, description]) => MARK.test(description));
    return deprecated.flatMap(([scope, description]) =>
      listsOf(subject).filter(({ table, name, scopes }) => {
        const alternatives = policy[table].get(name)?.alternatives ?? [];
        return scopes.includes(scope) && alternatives.every((list) => list.includes(scope));
      }).map(({ path, name, scopes }) => ({
        span: subject.source.valueAt([...path, scopes.indexOf(scope)]),
        message: `${JSON.stringify(name)} requires the deprecated scope "${scope}"`,
        hint: description,
      }))
    );
  },
};
