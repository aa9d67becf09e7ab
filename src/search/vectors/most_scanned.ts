/** Vectors of a workspace up to which a scan of all of them in memory is fast enough, and exact. */
export const MOST_SCANNED = 200_000;
