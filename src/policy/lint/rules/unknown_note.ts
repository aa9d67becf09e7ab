/**
 * `unknown-note`: a note is about no route, field or scope of the policy.
 *
 * @module
 */
import { createSuggester } from "../suggest.ts";
import type { PolicyRule } from "./rule.ts";

export const unknownNote: PolicyRule = {
  code: "unknown-note",
  summary: "A note is about no route, field or scope of the policy",
  level: "error",
  on: "policy",
  find({ source, file: { policy: { scopes, routes, fields }, notes } }) {
    const names = new Set([...scopes.keys(), ...routes.keys(), ...fields.keys()]);
    const suggest = createSuggester(names);
    return [...notes.keys()].filter((name) => !names.has(name)).map((name) => ({
      span: source.nameAt(["notes", name]),
      message: `The policy has no route, field or scope "${name}"`,
      hint: suggest(name),
    }));
  },
};
