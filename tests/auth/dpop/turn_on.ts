/**
 * Turns DPoP on for the tests that are imported behind it.
 *
 * @module
 */
import { createUsedProofs } from "../../../src/auth/dpop/used_proofs.ts";
import { SETTING } from "../setting.ts";

SETTING.rules = { acceptsBoundTokens: true };
SETTING.authenticator = {
  dpop: { mode: "accept", usedProofs: createUsedProofs(), nonces: undefined },
};
SETTING.environment = { RECTO_AUTH_DPOP: "accept" };
SETTING.schemes = ["Bearer", "DPoP"];
