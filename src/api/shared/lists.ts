/**
 * Lists and their pages.
 *
 * @module
 */
import * as v from "valibot";
import { LIMITS } from "../../content/values/limits.ts";
import { MAX_CURSOR_LENGTH } from "../../http/cursor.ts";

/** Of a list whose places are short. */
const SHORT_CURSOR_LENGTH = 2_048;

/** Where a page begins, in at most so many characters. */
export function cursorInput(maxLength: number): v.GenericSchema<unknown, string> {
  return v.pipe(
    v.string(),
    v.maxLength(maxLength),
    v.description("The `next_cursor` of the page before; absent for the first page."),
  );
}

/** How a client asks for one page of a list. */
export const pagination = {
  start_cursor: v.exactOptional(cursorInput(SHORT_CURSOR_LENGTH)),
  page_size: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(LIMITS.pageSize),
      v.description("Items a page; 0 stands for the default, 100."),
    ),
  ),
};

/** Which properties of pages a client wants. */
export const propertyFilter = {
  filter_properties: v.exactOptional(
    v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(2_000))),
      v.maxLength(100),
      v.description("Ids or names of the properties to answer; all where absent."),
    ),
  ),
};

export interface Pagination {
  readonly start_cursor?: string;
  readonly page_size?: number;
}

/** How many items one page holds. */
export function pageSizeOf({ page_size }: Pick<Pagination, "page_size">): number {
  return page_size || LIMITS.pageSize;
}

/** The envelope of a list of `T`s, and what more it says. */
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
  /** Items as ready JSON. */
  readonly results: readonly string[];
  readonly nextCursor: string | null;
  readonly requestId: string;
  /** What more the envelope says. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** One page of a list as JSON text. */
export function listJson({ type, results, nextCursor, requestId, more }: ListPage): string {
  const tail = JSON.stringify({
    next_cursor: nextCursor,
    has_more: nextCursor !== null,
    type,
    [type]: {},
    ...more,
    request_id: requestId,
  });
  return `{"object":"list","results":[${results.join(",")}],${tail.slice(1)}`;
}
