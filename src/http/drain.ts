/**
 * Draining before a stop: first the server announces that it stops, then it rejects new requests,
 * so that steady load cannot keep it running.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";

export interface Drain {
  readonly isDraining: () => boolean;
  /** Throws `service_unavailable` once the server rejects new requests. */
  assertOpen(): void;
  begin(): void;
}

/**
 * Milliseconds for load balancers to notice that the server stops; it still serves requests
 * meanwhile.
 */
const LEAD = 2_000;

/** Creates the drain; the server accepts requests until `lead` milliseconds after it begins. */
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
