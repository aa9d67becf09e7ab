/**
 * How much callers and addresses may ask for.
 *
 * @module
 */
import ipaddr from "ipaddr.js";
import type { Variable } from "./config.ts";
import type { Reader } from "./reader.ts";

export interface RateConfig {
  readonly perSecond: number;
  readonly burst: number;
}

const BURST_SECONDS = 5;
const RATE = {
  pattern: /^(?:off|[1-9]\d{0,6}\/s)$/,
  form: 'requests a second as "100/s", or off',
};

/** Reads a limit; undefined where it is off. */
export function rateOf(read: Reader, name: Variable, fallback: number): RateConfig | undefined {
  const perSecond = read.matching(name, RATE, (text) => parseInt(text)) ?? fallback;
  return Number.isNaN(perSecond) ? undefined : { perSecond, burst: perSecond * BURST_SECONDS };
}

/** Reads addresses and ranges of proxies; tells which are none. */
export function proxiesOf(read: Reader, issues: string[]): readonly string[] {
  const proxies = (read.text("TRUSTED_PROXIES") ?? "").split(",").map((text) => text.trim())
    .filter((text) => text !== "");
  for (const proxy of proxies) {
    if (!ipaddr.isValid(proxy) && !ipaddr.isValidCIDR(proxy)) {
      issues.push(`TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8: "${proxy}"`);
    }
  }
  return proxies;
}
