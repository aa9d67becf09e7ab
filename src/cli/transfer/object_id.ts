/**
 * Pages and databases in arguments.
 *
 * @module
 */
import { normalizeId } from "../../content/values/ids.ts";
import { idInUrl } from "../../content/values/page_urls.ts";

/** Returns the ID of a page or database that an argument names by it or by a URL; else undefined. */
export function readObjectId(argument: string): string | undefined {
  // Behind the path, URLs of databases name a view, and those of pages a block.
  const id = idInUrl(argument.trim().replace(/[?#].*$/s, ""));
  return id && normalizeId(id);
}
