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
  /**
   * Resolves once nothing was asked for so many milliseconds, so that each client that is using its
   * connection has been told to close it; at the latest when new requests are rejected.
   */
  quiet(milliseconds: number): Promise<void>;
}

/** Milliseconds between two looks whether it is quiet. */
const LOOK = 20;

/**
 * Milliseconds for load balancers to notice that the server stops; it still serves requests
 * meanwhile.
 */
const LEAD = 2_000;

/** Creates the drain; the server accepts requests until `lead` milliseconds after it begins. */
export function createDrain(lead = LEAD): Drain {
  let closesAt: number | undefined;
  let asked = 0;
  return {
    isDraining: () => {
      if (closesAt === undefined) return false;
      // Every response asks.
      asked++;
      return true;
    },
    assertOpen: () => {
      if (closesAt === undefined || performance.now() < closesAt) return;
      throw new AppError("service_unavailable", "Server is stopping: try again", {
        headers: { "retry-after": "1" },
      });
    },
    begin: () => {
      closesAt ??= performance.now() + lead;
    },
    quiet: async (milliseconds) => {
      const isOver = () => performance.now() >= (closesAt ?? 0);
      // Looks are counted, not time: a busy machine may let this process sleep while requests arrive.
      for (let looks = milliseconds / LOOK; looks > 0 && !isOver(); looks--) {
        const before = asked;
        await new Promise((resolve) => setTimeout(resolve, LOOK));
        if (asked !== before) looks = milliseconds / LOOK + 1;
      }
    },
  };
}
