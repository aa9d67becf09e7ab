/**
 * Rate limit by client address, for requests without a valid token.
 *
 * @module
 */
import type { AddressOf, Connection } from "./client_address.ts";
import type { Fields } from "./response_writer.ts";
import type { RateLimiter } from "./rate_limit.ts";

/** A request that is charged to its client address. */
export interface ChargedRequest {
  /** Undefined if there is no network between client and handler; nothing is charged then. */
  readonly connection: Connection | undefined;
  readonly headers: ReadonlyMap<string, string>;
  /** Monotonic milliseconds. */
  readonly time: number;
}

export interface AddressLimit {
  /** Takes one request from the bucket of the address; throws `rate_limited` if it is empty. */
  spend(charged: ChargedRequest): Fields | Promise<Fields>;
  /** Returns one request to the bucket, because its caller has a bucket of their own. */
  refund(charged: ChargedRequest): void;
}

/** Creates the limit on top of a rate limiter, with one bucket for each address. */
export function createAddressLimit(limiter: RateLimiter, addressOf: AddressOf): AddressLimit {
  const addressKey = ({ connection, headers }: ChargedRequest) =>
    connection && addressOf(connection, headers);
  return {
    spend: (charged) => {
      const key = addressKey(charged);
      return key === undefined ? [] : limiter.spend(key, charged.time);
    },
    refund: (charged) => {
      const key = addressKey(charged);
      if (key !== undefined) limiter.refund(key);
    },
  };
}
