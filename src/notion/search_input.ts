/**
 * The body of a search of `/v1`: none of the filters and counts that `/v2` has beyond the vendor's.
 *
 * @module
 */
import * as v from "valibot";
import { searchInput } from "../api/search/keyword_input.ts";
import { idInput } from "../content/values/ids.ts";
import { byKey } from "../content/values/union.ts";

const condition = v.variant("property", [
  v.strictObject({ property: v.literal("object"), value: v.picklist(["page", "database"]) }),
  v.strictObject({ property: v.literal("parent"), value: idInput }),
  v.strictObject({ property: v.literal("ancestor"), value: idInput }),
]);
const all = v.strictObject({
  and: v.pipe(v.array(condition), v.maxLength(condition.options.length)),
});

const { query, words, page_size, start_cursor } = searchInput.entries;

export const vendorSearchInput = v.strictObject({
  query,
  words,
  page_size,
  start_cursor,
  filter: v.exactOptional(byKey({ and: all, property: condition })),
  sort: v.exactOptional(
    v.strictObject({
      timestamp: v.literal("last_edited_time"),
      direction: v.picklist(["ascending", "descending"]),
    }),
  ),
});
