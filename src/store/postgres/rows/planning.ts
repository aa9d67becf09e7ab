/**
 * Planner settings for row queries.
 *
 * @module
 */

/**
 * For the rest of the transaction, makes statements use their indexes and join row by row. Statistics
 * say nothing about what clients ask for, and one wrong estimate reads a whole table.
 */
export const BY_INDEX = `
  SET LOCAL enable_bitmapscan = off;
  SET LOCAL enable_hashjoin = off;
  SET LOCAL enable_mergejoin = off;
  SET LOCAL enable_memoize = off;
  SET LOCAL max_parallel_workers_per_gather = 0;
`;
