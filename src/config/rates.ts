/**
 * Rate limits and trusted proxies.
 *
 * @module
 */
import ipaddr from "ipaddr.js";
import type { Settings } from "./variables.ts";

export interface RateConfig {
  readonly perSecond: number;
  readonly burst: number;
}

const BURST_SECONDS = 5;

/** Returns the rate limit of this many requests a second; undefined if it is off. */
export function rateOf(perSecond: number): RateConfig | undefined {
  return perSecond === Infinity ? undefined : { perSecond, burst: perSecond * BURST_SECONDS };
}

/** Reads the trusted proxies; adds an issue for each that is neither an address nor a range. */
export function proxiesOf(settings: Settings, issues: string[]): readonly string[] {
  const proxies = (settings.RECTO_TRUSTED_PROXIES ?? "").split(",").map((text) => text.trim())
    .filter((text) => text !== "");
  for (const proxy of proxies) {
    if (!isAddressOrRange(proxy)) {
      issues.push(
        `RECTO_TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8: "${proxy}"`,
      );
    }
  }
  return proxies;
}

/** Short forms are refused: `10/8` is 0.0.0.0/8 by the rules for them, and not what is meant. */
function isAddressOrRange(text: string): boolean {
  const [address = ""] = text.split("/");
  return (ipaddr.isValid(text) || ipaddr.isValidCIDR(text)) &&
    (address.includes(":") || ipaddr.IPv4.isValidFourPartDecimal(address));
}
