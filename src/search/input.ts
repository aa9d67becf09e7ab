/**
 * The input of a search, besides its filter.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../shared/component.ts";
import { LIMITS } from "../content/values/limits.ts";

/** The order of a search by time. */
export const searchSort = v.strictObject({
  timestamp: v.picklist(["created_time", "last_edited_time"]),
  direction: v.picklist(["ascending", "descending"]),
});
component(
  searchSort,
  "SearchSort",
  "Sorts results by the time of their creation or last edit. Without it the best matches come first; without a query, the last edited.",
);

/** The query text. */
export const searchText = v.pipe(v.string(), v.maxLength(LIMITS.searchText));

/** A score that results must have. */
export const minScore = v.pipe(
  v.number(),
  v.description(
    "Leaves out results with a lower `score`. Scores compare results of one search alone.",
  ),
);
