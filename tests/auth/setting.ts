/**
 * A setting that all tests of a file run with again: what imports it first changes it, then imports
 * them.
 *
 * @module
 */
import type { AuthenticatorOptions } from "../../src/auth/authenticator.ts";
import type { ClaimRules } from "../../src/auth/claims.ts";

export interface Setting {
  rules: Pick<ClaimRules, "acceptsBoundTokens">;
  authenticator: Pick<AuthenticatorOptions, "dpop">;
  /** Variables of every test app. */
  environment: Readonly<Record<string, string>>;
  /** Schemes under which a token that is refused must be refused. */
  schemes: readonly string[];
}

export const SETTING: Setting = {
  rules: {},
  authenticator: {},
  environment: {},
  schemes: ["Bearer"],
};
