/**
 * `newly-public`: a call that needed a token, or was not there, is open to everyone.
 *
 * @module
 */
import { specCommand } from "../places.ts";
import type { PolicyRule } from "./rule.ts";

export const newlyPublic: PolicyRule = {
  code: "newly-public",
  level: "error",
  on: "policy",
  find({ source, file: { policy }, api, base }) {
    const before = base?.routes ?? api?.routes;
    if (before === undefined) return [];
    return [...policy.routes]
      .filter(([route, rule]) => rule.public && before.get(route)?.public !== true)
      .map(([route]) => ({
        span: source.valueAt(["routes", route]),
        message: `Everyone may call "${route}" now, without a token`,
        hint: base === undefined
          ? `If that is meant, run: ${specCommand(source.file)}`
          : "If that is meant, approve it: deno task policy diff --approve",
      }));
  },
};
