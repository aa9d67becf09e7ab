/**
 * `unused-scope`: a token can hold it, and it opens nothing.
 *
 * @module
 */
import { didYouMean } from "../../../shared/did_you_mean.ts";
import { listsOf, type PolicyRule } from "./rule.ts";

export const unusedScope: PolicyRule = {
  code: "unused-scope",
  level: "error",
  on: "policy",
  find(subject) {
    const { scopes } = subject.file.policy;
    const used = new Set(listsOf(subject).flatMap((list) => list.scopes));
    const undeclared = [...used].filter((scope) => !scopes.has(scope));
    return [...scopes.keys()].filter((scope) => !used.has(scope)).map((scope) => ({
      span: subject.source.nameAt(["scopes", scope]),
      message: `Scope ${JSON.stringify(scope)} is used by no route and no field`,
      hint: didYouMean(scope, undeclared),
    }));
  },
};
