/**
 * What the planner does with a search.
 *
 * @module
 */

/**
 * For the rest of the transaction: how common its words are decides how a search is done, so each is
 * planned for its own. A plan for any words would look for a rare one in every part there is.
 */
export const BY_WORDS = "SET LOCAL plan_cache_mode = force_custom_plan";
