/**
 * `absorbed-alternative`: whoever fulfils it fulfils another alternative that asks for less.
 *
 * @module
 */
import { inWords } from "../names.ts";
import { listsOf, type PolicyRule } from "./rule.ts";

export const absorbedAlternative: PolicyRule = {
  code: "absorbed-alternative",
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
        message: `${inWords(smaller)} is enough by another alternative`,
        hint: "Take it out: it changes nothing. If more was meant, change the other one",
      }];
    });
  },
};
