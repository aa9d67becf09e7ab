/**
 * What callers without a good token may ask for, by the address that they come from.
 *
 * @module
 */
import type { AddressOf, Connection } from "./client_address.ts";
import type { Fields } from "./response_writer.ts";
import type { RateLimiter } from "./rate_limit.ts";

/** A request that is charged to its address. */
export interface Charged {
  /** Undefined where there is no network between client and handler: nothing is charged then. */
  readonly connection: Connection | undefined;
  readonly headers: ReadonlyMap<string, string>;
  /** Monotonic milliseconds. */
  readonly time: number;
}

export interface AddressLimit {
  /** Takes one request from the address' bucket; throws `rate_limited` where that is empty. */
  spend(charged: Charged): Fields;
  /** Gives one back: it came from somebody who has a bucket of their own. */
  refund(charged: Charged): void;
}

/** A limit for each address, under the machinery of those for callers. */
export function createAddressLimit(limiter: RateLimiter, addressOf: AddressOf): AddressLimit {
  const keyOf = ({ connection, headers }: Charged) => connection && addressOf(connection, headers);
  return {
    spend: (charged) => {
      const key = keyOf(charged);
      return key === undefined ? [] : limiter.spend(key, charged.time);
    },
    refund: (charged) => {
      const key = keyOf(charged);
      if (key !== undefined) limiter.refund(key);
    },
  };
}
