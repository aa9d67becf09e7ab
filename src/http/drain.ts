/**
 * The end of a server: first it says that it stops, then it takes nothing new, so that steady load
 * does not keep it from ending.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";

export interface Drain {
  readonly isDraining: () => boolean;
  /** Throws `service_unavailable` once the server takes no more requests. */
  assertOpen(): void;
  begin(): void;
}

/** Milliseconds in which balancers notice that the server stops, and requests are still served. */
const LEAD = 2_000;

/** A server that takes requests until `lead` milliseconds after the drain began. */
export function createDrain(lead = LEAD): Drain {
  let closesAt: number | undefined;
  return {
    isDraining: () => closesAt !== undefined,
    assertOpen: () => {
      if (closesAt === undefined || performance.now() < closesAt) return;
      throw new AppError("service_unavailable", "Server is stopping: try again", {
        headers: { "retry-after": "1" },
      });
    },
    begin: () => {
      closesAt ??= performance.now() + lead;
    },
  };
}
