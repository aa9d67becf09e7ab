/**
 * Finds what links mean: paths, names, aliases and the vendor's 32-digit IDs.
 *
 * @module
 */
import { baseOf, folderOf, joinPath, stemOf } from "../source/names.ts";
import { isAbsolute, type LinkTarget } from "./target.ts";

const ID = /([0-9a-f]{32})$/i;
const UUID = /([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;
const VENDOR_URL = /^https?:\/\/(?:www\.|app\.)?notion\.(?:so|com|site)\//i;

/** Returns the vendor's ID at the end of a name, in lower case and without hyphens. */
export function idIn(name: string): string | undefined {
  const id = ID.exec(name)?.[1] ?? UUID.exec(name)?.[1];
  return id?.replaceAll("-", "").toLowerCase();
}

/** Resolves links of one source. */
export interface LinkIndex {
  /** Makes a page or database known by the path of its file, and by other names. */
  addNode(key: string, path: string, aliases?: readonly string[]): void;
  addFile(path: string): void;
  /** Returns the target of a URL in the file `from`; undefined if it leads outside or nowhere. */
  resolveUrl(url: string, from: string): LinkTarget | undefined;
  /** Returns the target of `[[name]]` in the file `from`. */
  resolveName(name: string, from: string): LinkTarget | undefined;
}

/** Creates an empty index. */
export function createLinkIndex(): LinkIndex {
  const exact = new Map<string, LinkTarget>();
  const folded = new Map<string, LinkTarget>();
  const ids = new Map<string, LinkTarget>();
  const names = new Map<string, LinkTarget>();
  const add = (target: LinkTarget, path: string) => {
    exact.set(path, target);
    setFirst(folded, fold(path), target);
    setFirst(names, fold(baseOf(path)), target);
  };
  const byPath = (path: string | undefined): LinkTarget | undefined => {
    if (path === undefined) return undefined;
    return exact.get(path) ?? folded.get(fold(path));
  };
  const byId = (path: string) => {
    const id = idIn(stemOf(path)) ?? idIn(baseOf(path));
    return id === undefined ? undefined : ids.get(id);
  };
  const byUrl = (url: string, from: string): LinkTarget | undefined => {
    if (isAbsolute(url)) return VENDOR_URL.test(url) ? byId(pathOf(url)) : undefined;
    const path = pathOf(url);
    if (path === "") return exact.get(from);
    for (const one of readings(path)) {
      const found = candidates(one, from).map(byPath).find((target) => target !== undefined);
      if (found !== undefined) return found;
    }
    return byId(decode(path));
  };
  return {
    addNode: (key, path, aliases = []) => {
      const target: LinkTarget = { kind: "node", key };
      add(target, path);
      const id = idIn(stemOf(path));
      if (id !== undefined) setFirst(ids, id, target);
      for (const name of [stemOf(path), ...aliases]) setFirst(names, fold(name), target);
    },
    addFile: (path) => add({ kind: "file", path }, path),
    resolveUrl: byUrl,
    resolveName: (name, from) => {
      if (name === "") return exact.get(from);
      const found = [name, `${name}.md`].flatMap((one) => candidates(one, from))
        .map(byPath).find((target) => target !== undefined);
      return found ?? names.get(fold(name)) ?? names.get(fold(`${name}.md`)) ??
        names.get(fold(baseOf(name)));
    },
  };
}

function setFirst<V>(map: Map<string, V>, key: string, value: V): void {
  if (!map.has(key)) map.set(key, value);
}

function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** A path as it is written, decoded once, and decoded twice: exports encode some names twice. */
function readings(path: string): string[] {
  const once = decode(path);
  return [...new Set([once, path, decode(once)])];
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, "");
}

/** The paths a relative path may mean: beside the file, from the top, a folder's main page. */
function candidates(path: string, from: string): (string | undefined)[] {
  const places = [joinPath(folderOf(from), path), joinPath("", path)];
  const folders = places.flatMap((place) =>
    place === undefined ? [] : MAIN_PAGES.map((name) => place === "" ? name : `${place}/${name}`)
  );
  return [...places, ...places.map((place) => place && `${place}.md`), ...folders];
}

/** Files that are the page of their folder. */
export const MAIN_PAGES = ["README.md", "readme.md", "index.md", "_index.md", "index.html"];
