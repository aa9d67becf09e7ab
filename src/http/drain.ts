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
  let lastAsked = 0;
  return {
    isDraining: () => {
      if (closesAt === undefined) return false;
      // Every response asks.
      lastAsked = performance.now();
      return true;
    },
    assertOpen: () => {
      if (closesAt === undefined || performance.now() < closesAt) return;
      throw new AppError("service_unavailable", "Server is stopping: try again", {
        headers: { "retry-after": "1" },
      });
    },
    begin: () => {
      lastAsked = performance.now();
      closesAt ??= lastAsked + lead;
    },
    quiet: async (milliseconds) => {
      const isQuiet = () => {
        const now = performance.now();
        return now >= lastAsked + milliseconds || now >= (closesAt ?? 0);
      };
      while (!isQuiet()) await new Promise((resolve) => setTimeout(resolve, LOOK));
    },
  };
}
