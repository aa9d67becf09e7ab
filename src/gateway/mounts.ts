/**
 * Which policy decides a request: by its host and the beginning of its path.
 *
 * @module
 */

/** The host and path to which a policy applies. */
export interface Mount {
  /** Host without a port, in lower case; undefined for every host. */
  readonly host: string | undefined;
  /** `/orders`, or `""` for every path. */
  readonly prefix: string;
  /** Path of the policy file. */
  readonly file: string;
}

const MOUNT = /^(\*|[a-z0-9.-]+|\[[0-9a-f:.]+\])?((?:\/[\w.~-]+)*)\/?=(.+)$/i;

/** Parameters of a segment (RFC 3986 section 3.3). */
const PARAMETERS = /;[^/]*/g;

/** Parses `HOST/PREFIX=FILE`, `HOST=FILE`, `/PREFIX=FILE` or `*=FILE`; undefined if it is none. */
export function parseMount(text: string): Mount | undefined {
  const [, host = "*", prefix = "", file] = MOUNT.exec(text.trim()) ?? [];
  if (file === undefined || (prefix === "" && text.trim().startsWith("="))) return undefined;
  const named = host === "*" ? undefined : host.toLowerCase().replace(/\.$/, "");
  return { host: named, prefix, file: file.trim() };
}

/** Returns a sentence for each place that two mounts share. */
export function mountIssues(mounts: readonly Mount[]): string[] {
  const places = Map.groupBy(mounts, placeOf);
  return [...places].filter(([, those]) => those.length > 1)
    .map(([place, those]) => `${place} has ${those.length} policies: name one`);
}

/** Returns the place of a mount in words, such as `orders.example/v1`. */
export function placeOf({ host = "*", prefix }: Mount): string {
  return host + prefix;
}

/**
 * Creates the lookup. A mount with the host goes before one for every host, and a longer prefix
 * before a shorter one. Prefixes are whole segments.
 *
 * Many servers take `/orders;x/1` for `/orders/1`, so a path that another mount has without such
 * parameters has none.
 */
export function createMountTable<T extends Mount>(
  mounts: readonly T[],
): (host: string, path: string) => T | undefined {
  const sorted = mounts.toSorted((a, b) =>
    Number(b.host !== undefined) - Number(a.host !== undefined) || b.prefix.length - a.prefix.length
  );
  const single = sorted.length === 1 ? sorted[0] : undefined;
  if (single?.host === undefined && single?.prefix === "") return () => single;
  const find = (host: string, path: string) =>
    sorted.find((mount) =>
      (mount.host === undefined || mount.host === host) &&
      (path === mount.prefix || path.startsWith(`${mount.prefix}/`))
    );
  return (host, path) => {
    const found = find(host, path);
    const isAmbiguous = path.includes(";") && find(host, path.replaceAll(PARAMETERS, "")) !== found;
    return isAmbiguous ? undefined : found;
  };
}
