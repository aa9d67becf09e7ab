/**
 * Lists and their pages.
 *
 * @module
 */
import * as v from "valibot";
import { LIMITS } from "../../content/values/limits.ts";
import { MAX_CURSOR_LENGTH } from "../../http/cursor.ts";
import { listText } from "../../shared/json_text.ts";
import { joinTexts, type Text } from "../../shared/long_text.ts";

/** For lists with short cursors. */
const SHORT_CURSOR_LENGTH = 2_048;

/** The schema of a cursor of at most `maxLength` characters. */
export function cursorInput(maxLength: number): v.GenericSchema<unknown, string> {
  return v.pipe(
    v.string(),
    v.maxLength(maxLength),
    v.description("`next_cursor` of the previous page. Leave it out for the first page."),
  );
}

/** The parameters that select a page of a list. */
export const pagination = {
  start_cursor: v.exactOptional(cursorInput(SHORT_CURSOR_LENGTH)),
  page_size: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(LIMITS.pageSize),
      v.description("Maximum number of items per page of the list. 0 means the default of 100."),
    ),
  ),
};

/** The parameter that selects properties of pages. */
export const propertyFilter = {
  filter_properties: v.exactOptional(
    v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(2_000))),
      v.maxLength(100),
      v.description("IDs or names of the properties to include. By default all are included."),
    ),
  ),
};

export interface Pagination {
  readonly start_cursor?: string;
  readonly page_size?: number;
}

/** Returns the maximum number of items on a page of the list. */
export function pageSizeOf({ page_size }: Pick<Pagination, "page_size">): number {
  return page_size || LIMITS.pageSize;
}

/** The schema of a page of a list, with the members of `more`. */
export function listSchema<T extends v.GenericSchema>(
  type: string,
  item: T,
  more: v.ObjectEntries = {},
): v.GenericSchema {
  return v.object({
    object: v.literal("list"),
    results: v.pipe(v.array(item), v.maxLength(LIMITS.pageSize)),
    next_cursor: v.pipe(
      v.nullable(v.pipe(v.string(), v.maxLength(MAX_CURSOR_LENGTH))),
      v.description("Null on the last page."),
    ),
    has_more: v.boolean(),
    type: v.literal(type),
    [type]: v.object({}),
    ...more,
    request_id: v.pipe(v.string(), v.maxLength(64)),
  });
}

export interface ListPage {
  readonly type: string;
  /** Items as JSON text. */
  readonly results: readonly Text[];
  readonly nextCursor: string | null;
  readonly requestId: string;
  /** Additional members of the list. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Returns a page of a list as JSON text. */
export function listJson({ type, results, nextCursor, requestId, more }: ListPage): Text {
  const tail = JSON.stringify({
    next_cursor: nextCursor,
    has_more: nextCursor !== null,
    type,
    [type]: {},
    ...more,
    request_id: requestId,
  });
  return joinTexts([`{"object":"list","results":`, listText(results), `,${tail.slice(1)}`]);
}
