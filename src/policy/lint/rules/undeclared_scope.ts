/**
 * `undeclared-scope`: a rule requires a scope that is not declared, so no token can have it.
 *
 * @module
 */
import { createSuggester } from "../suggest.ts";
import { listsOf, type PolicyRule } from "./rule.ts";

export const undeclaredScope: PolicyRule = {
  code: "undeclared-scope",
  summary: "A rule requires a scope that is not declared, so no token can have it",
  level: "error",
  on: "policy",
  find(subject) {
    const { scopes } = subject.file.policy;
    const suggest = createSuggester(scopes.keys());
    return listsOf(subject).flatMap((list) =>
      list.scopes.map((scope, index) => ({ scope, path: [...list.path, index] }))
        .filter(({ scope }) => !scopes.has(scope))
        .map(({ scope, path }) => ({
          span: subject.source.valueAt(path),
          message: `Scope ${JSON.stringify(scope)} is not declared under "scopes"`,
          hint: suggest(scope),
        }))
    );
  },
};
