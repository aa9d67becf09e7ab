/**
 * Planner settings for searches.
 *
 * @module
 */

/**
 * Plans each search for its own words, for the rest of the transaction. The best plan depends on
 * how common the words are; a generic plan would scan every part for a rare word. The index of terms is
 * only read as a bitmap.
 */
export const BY_WORDS = `
  SET LOCAL plan_cache_mode = force_custom_plan;
  SET LOCAL enable_bitmapscan = on;
  SET LOCAL enable_hashjoin = on;
  SET LOCAL enable_mergejoin = on;
`;
