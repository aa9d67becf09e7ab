/**
 * `absorbed-alternative`: an alternative that requires all scopes of another one, and more.
 *
 * @module
 */
import { inWords } from "../names.ts";
import { listsOf, type PolicyRule } from "./rule.ts";

export const absorbedAlternative: PolicyRule = {
  code: "absorbed-alternative",
  summary: "An alternative requires everything that another one requires, and more",
  level: "error",
  on: "policy",
  find(subject) {
    return listsOf(subject).flatMap(({ table, name, path, scopes }) => {
      const own = new Set(scopes);
      const others = subject.file.policy[table].get(name)?.alternatives ?? [];
      const smaller = others.find((list) =>
        new Set(list).size < own.size && list.every((scope) => own.has(scope))
      );
      if (smaller === undefined) return [];
      return [{
        span: subject.source.valueAt(path),
        message: `Another alternative only requires ${inWords(smaller)}`,
        hint: "Remove this one, which has no effect, or change the other one",
      }];
    });
  },
};
