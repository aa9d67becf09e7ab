/**
 * `newly-public`: a call that is new, or that required a token, is public.
 *
 * @module
 */
import { specCommand } from "../paths.ts";
import { placeOf } from "../../schema.ts";
import type { PolicyRule } from "./rule.ts";

export const newlyPublic: PolicyRule = {
  code: "newly-public",
  summary: "A call is public that is new or required a token",
  level: "error",
  on: "policy",
  find({ source, file: { policy }, api, base }) {
    const before = base?.routes ?? api?.routes;
    if (before === undefined) return [];
    return [...policy.routes]
      .filter(([route, rule]) => rule.public && before.get(route)?.public !== true)
      .map(([route]) => ({
        span: source.valueAt(placeOf(policy, route)),
        message: `"${route}" is now public: everyone may call it, without a token`,
        hint: base === undefined
          ? `If that is intended, run: ${specCommand(source.file)}`
          : "If that is intended, approve it: deno task policy diff --approve",
      }));
  },
};
