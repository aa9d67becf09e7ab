/**
 * Paths inside a source: which are safe, which are hidden, and how they are taken apart.
 *
 * @module
 */

/** Folders and files that editors and systems leave behind. */
const HIDDEN = /(?:^|\/)(?:\.[^/]+|__MACOSX|node_modules|Thumbs\.db|desktop\.ini)(?:\/|$)/i;

/** Returns whether a path belongs to an editor or a system rather than to the user. */
export function isHidden(path: string): boolean {
  return HIDDEN.test(path);
}

/** Returns why the name of an archive's entry is unsafe; undefined if it is safe. */
export function nameIssue(name: string): string | undefined {
  if (name.includes("\\")) return "its name contains a backslash";
  if (name.startsWith("/") || /^[A-Za-z]:/.test(name)) return "its name is an absolute path";
  if (/\p{Cc}/u.test(name)) return "its name contains control characters";
  const segments = name.split("/");
  return segments.includes("..") || segments.includes(".")
    ? "its name climbs out of the archive"
    : undefined;
}

/** The folder of a path; `""` at the top. */
export function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

/** The last segment of a path. */
export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The ending of a path in lower case, without its dot; `""` if there is none. */
export function endingOf(path: string): string {
  return /\.([A-Za-z0-9]{1,10})$/.exec(baseOf(path))?.[1]?.toLowerCase() ?? "";
}

/** The last segment without its ending. */
export function stemOf(path: string): string {
  const base = baseOf(path);
  const ending = endingOf(path);
  return ending === "" ? base : base.slice(0, -ending.length - 1);
}

/** Joins a folder and a relative path; undefined if the result climbs out of the source. */
export function joinPath(folder: string, relative: string): string | undefined {
  const segments = relative.startsWith("/") || folder === "" ? [] : folder.split("/");
  for (const segment of relative.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join("/");
}
