/**
 * The status of introspection, from recent calls and, if there were none, a probe.
 *
 * @module
 */

/** Milliseconds for which a success counts. */
const MAX_AGE = 60_000;
/** Milliseconds between two probes, at least. */
const COOL_DOWN = 5_000;

export interface IntrospectionStatus {
  /** Records the error of an introspection; undefined for a success. */
  record(failure: unknown, now: number): void;
  /**
   * Rejects with the last error while introspection fails; probes the issuer if the state is
   * unknown.
   */
  ping(now: number): Promise<void>;
}

/** Creates a status that is unknown yet; `probe` calls the issuer, and rejects if that fails. */
export function createIntrospectionStatus(probe: () => Promise<void>): IntrospectionStatus {
  let failure: unknown;
  let answeredAt = -Infinity;
  let probedAt = -Infinity;
  let probing: Promise<void> | undefined;

  function note(error: unknown, now: number): void {
    failure = error;
    // After a failure the next ping probes again, because the failure may be over.
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
