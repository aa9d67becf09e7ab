/**
 * The path of each page and database in a folder of Markdown.
 *
 * @module
 */
import { posix } from "node:path";
import { createNames } from "./file_names.ts";
import { type Listing, titleOf } from "./listing.ts";

/** Paths of files in the folder, by ID: `.md` of a page, `.csv` of a database. */
export type Paths = ReadonlyMap<string, string>;

/** Names at the top that are taken. */
const TAKEN = ["files"];

/**
 * Returns the path of each object. A page is next to a folder with the pages in it; a database is a
 * folder with its CSV and its rows. Older objects keep their name if a younger one has the same.
 */
export function placeObjects(listing: Listing): Paths {
  const folders = new Map<string, string>();
  const names = new Map<string, ReturnType<typeof createNames>>();
  const paths = new Map<string, string>();
  for (const [id, object] of listing) {
    const parent = object.parentId !== undefined ? folders.get(object.parentId) ?? "" : "";
    const naming = names.get(parent) ?? createNames(parent === "" ? TAKEN : []);
    names.set(parent, naming);
    const name = naming(titleOf(object), id);
    const folder = `${parent}${name}/`;
    folders.set(id, folder);
    paths.set(id, object.kind === "database" ? `${folder}${name}.csv` : `${parent}${name}.md`);
  }
  return paths;
}

/** Returns the link from one file to another, encoded for Markdown. */
export function linkBetween(from: string, to: string): string {
  // Of paths that do not begin with a slash, the working directory would be asked for each time.
  const relative = posix.relative(posix.dirname(`/${from}`), `/${to}`);
  return relative.split("/").map(encodeSegment).join("/");
}

/** Brackets would end a link. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll("(", "%28").replaceAll(")", "%29");
}
