/**
 * `deprecated-scope`: a rule leaves no way but through a scope that is on its way out.
 *
 * @module
 */
import { listsOf, type PolicyRule } from "./rule.ts";

/** How the description of such a scope begins. */
const MARK = /^deprecated\b/i;

export const deprecatedScope: PolicyRule = {
  code: "deprecated-scope",
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
        message: `${JSON.stringify(name)} cannot be had without the deprecated scope "${scope}"`,
        hint: description,
      }))
    );
  },
};
