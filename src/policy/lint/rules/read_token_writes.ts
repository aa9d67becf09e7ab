/**
 * `read-token-writes`: a token with only `*.read` scopes may make a call that writes.
 *
 * @module
 */
import { scopesIn } from "../../../shared/acr.ts";
import { isRead } from "../../analysis/invariants.ts";
import { inWords } from "../names.ts";
import { normalize } from "../../analysis/normal.ts";
import { placeOf } from "../../schema.ts";
import type { PolicyRule } from "./rule.ts";

export const readTokenWrites: PolicyRule = {
  code: "read-token-writes",
  summary: "A token with only *.read scopes may make a call that writes",
  level: "error",
  on: "policy",
  find({ source, file: { policy, safe } }) {
    const { routes } = normalize(policy);
    return [...routes].filter(([route]) => !isRead(route, safe)).flatMap(([route, formula]) => {
      const token = formula.map((set) => [...set])
        .find((scopes) => scopesIn(scopes).every((scope) => scope.endsWith(".read")));
      if (token === undefined) return [];
      return [{
        span: source.nameAt(placeOf(policy, route)),
        message: `A token with only ${inWords(token)} may make this call, which writes`,
        hint: `If the call only reads, add it to "safe"`,
      }];
    });
  },
};
