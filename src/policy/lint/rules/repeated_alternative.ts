/**
 * `repeated-alternative`: two alternatives of a rule require the same scopes.
 *
 * @module
 */
import { listsOf, type PolicyRule } from "./rule.ts";

export const repeatedAlternative: PolicyRule = {
  code: "repeated-alternative",
  summary: "Two alternatives of a rule require the same scopes",
  level: "error",
  on: "policy",
  find(subject) {
    const seen = new Set<string>();
    return listsOf(subject).filter(({ table, name, scopes }) => {
      const key = JSON.stringify([table, name, ...[...scopes].sort()]);
      const repeated = seen.has(key);
      seen.add(key);
      return repeated;
    }).map(({ path }) => ({
      span: subject.source.valueAt(path),
      message: "An earlier alternative requires the same scopes",
      hint: "Remove this one, which has no effect",
    }));
  },
};
