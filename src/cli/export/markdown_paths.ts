/**
 * The path of each page and database in a folder of Markdown.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { posix } from "node:path";
import { createNames } from "./file_names.ts";
import { type ListedObject, type Listing, titleOf } from "./listing.ts";

/** Paths of files in the folder, by ID: `.md` of a page, `.csv` of a database. */
export type Paths = ReadonlyMap<string, string>;

/** Names at the top that are taken. */
const TAKEN = ["files"];

/** Bytes of a path in the folder: systems take 1,024 and more, with those of the folder. */
const MAX_BYTES = 800;

/**
 * Returns the path of each object. A page is next to a folder with the pages in it; a database is a
 * folder with its CSV and its rows. Older objects keep their name if a younger one has the same. An
 * object whose path would be too long is in a folder at the top that has its ID as name; `onLifted`
 * gets its path.
 */
export function placeObjects(listing: Listing, onLifted: (path: string) => void): Paths {
  const folders = new Map<string, string>();
  const names = new Map<string, ReturnType<typeof createNames>>();
  const paths = new Map<string, string>();
  for (const [id, object] of listing) {
    const place = (parent: string): Place => {
      const naming = names.getOrInsertComputed(
        parent,
        () => createNames(parent === "" ? TAKEN : []),
      );
      return placeIn(parent, object.kind, naming(titleOf(object), id));
    };
    const inParent = place(folders.get(object.parentId ?? "") ?? "");
    const isLifted = Buffer.byteLength(inParent.path) > MAX_BYTES;
    const { path, folder } = isLifted ? place(`${id}/`) : inParent;
    if (isLifted) onLifted(path);
    folders.set(id, folder);
    paths.set(id, path);
  }
  return paths;
}

interface Place {
  readonly path: string;
  /** Path of the folder with what is in the object. */
  readonly folder: string;
}

function placeIn(parent: string, kind: ListedObject["kind"], name: string): Place {
  const folder = `${parent}${name}/`;
  return { folder, path: kind === "database" ? `${folder}${name}.csv` : `${parent}${name}.md` };
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
