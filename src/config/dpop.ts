/**
 * Tokens that are bound to a key (DPoP, RFC 9449).
 *
 * @module
 */
import type { Settings } from "./variables.ts";

export interface DpopConfig {
  /** The mode: tokens may be bound to a key, or have to be. */
  readonly mode: "accept" | "require";
  /** True if proofs must contain a nonce of the service. */
  readonly needsNonce: boolean;
}

/** Reads these settings, and adds what is wrong with them to `issues`; undefined if DPoP is off. */
export function dpopOf(settings: Settings, issues: string[]): DpopConfig | undefined {
  const { RECTO_AUTH_DPOP: mode = "off", RECTO_AUTH_DPOP_NONCE: nonce } = settings;
  if (mode !== "off") return { mode, needsNonce: nonce !== "false" };
  if (nonce !== undefined) {
    issues.push("RECTO_AUTH_DPOP must be accept or require if RECTO_AUTH_DPOP_NONCE is set");
  }
  return undefined;
}
