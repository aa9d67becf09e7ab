/**
 * Whether the issuer answers introspection, known without a question for each time it is asked.
 *
 * @module
 */

/** Good news is believed for so long, ms. */
const MAX_AGE = 60_000;
/** The issuer is not probed again sooner than this after it was, ms. */
const COOL_DOWN = 5_000;

export interface IntrospectionStatus {
  /** Takes note of what a question failed with; undefined if it was answered. */
  record(failure: unknown, now: number): void;
  /** Rejects with the last failure while introspection fails; probes it if that is not known. */
  ping(now: number): Promise<void>;
}

/** Starts with nothing known; `probe` asks the issuer, and rejects if that fails. */
export function createIntrospectionStatus(probe: () => Promise<void>): IntrospectionStatus {
  let failure: unknown;
  let answeredAt = -Infinity;
  let probedAt = -Infinity;
  let probing: Promise<void> | undefined;

  function note(error: unknown, now: number): void {
    failure = error;
    // After a failure the next ping probes: it may have been one bad moment.
    answeredAt = error === undefined ? now : -Infinity;
  }

  async function runProbe(now: number): Promise<void> {
    await probe().then(() => note(undefined, now), (error) => note(error, now));
    probing = undefined;
  }

  return {
    record: note,
    ping: async (now) => {
      if (Math.abs(now - answeredAt) < MAX_AGE) return;
      if (probing === undefined && Math.abs(now - probedAt) >= COOL_DOWN) {
        probedAt = now;
        probing = runProbe(now);
      }
      await probing;
      if (failure !== undefined) throw failure;
    },
  };
}
