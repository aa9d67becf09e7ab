/**
 * What the planner may do with a query of rows.
 *
 * @module
 */

/**
 * For the rest of the transaction: statistics know nothing of what clients ask, and one wrong guess
 * reads a whole table. So statements are written for their indexes, and join row by row.
 */
export const BY_INDEX = `
  SET LOCAL enable_bitmapscan = off;
  SET LOCAL enable_hashjoin = off;
  SET LOCAL enable_mergejoin = off;
  SET LOCAL enable_memoize = off;
  SET LOCAL max_parallel_workers_per_gather = 0;
`;
