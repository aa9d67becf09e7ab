/**
 * `unused-scope`: a declared scope that no rule uses.
 *
 * @module
 */
import { createSuggester } from "../suggest.ts";
import { listsOf, type PolicyRule } from "./rule.ts";

export const unusedScope: PolicyRule = {
  code: "unused-scope",
  summary: "No rule uses a declared scope",
  level: "error",
  on: "policy",
  find(subject) {
    const { scopes } = subject.file.policy;
    const used = new Set(listsOf(subject).flatMap((list) => list.scopes));
    const undeclared = [...used].filter((scope) => !scopes.has(scope));
    const suggest = createSuggester(undeclared);
    return [...scopes.keys()].filter((scope) => !used.has(scope)).map((scope) => ({
      span: subject.source.nameAt(["scopes", scope]),
      message: `No route or field uses scope ${JSON.stringify(scope)}`,
      hint: suggest(scope),
    }));
  },
};
