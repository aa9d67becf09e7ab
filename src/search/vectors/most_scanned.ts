/**
 * Vectors of a workspace up to which a search reads all: within 9 ms, so that a search, which reads them
 * twice, keeps half of its time for the rest.
 */
export const MOST_SCANNED = 200_000;
