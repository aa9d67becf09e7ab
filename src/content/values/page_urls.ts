/**
 * URLs of the service's objects. They have ids of 32 digits without dashes, as clients look for
 * them.
 *
 * @module
 */

/** Names of objects in URLs. */
export type Addressed = "page" | "database" | "user" | "comment";
export type UrlOf = (kind: Addressed, id: string) => string;

/** The addresses of the objects of a service. */
export interface Addresses {
  /** Origin of the service. */
  readonly publicUrl: string;
  /** URL of pages and databases in a front end, with `{id}` and possibly `{kind}`. */
  readonly pageUrl?: string | undefined;
}

/**
 * The URLs of objects: pages and databases in the front end, if there is one, or at the service.
 */
export function urlsAt({ publicUrl, pageUrl }: Addresses): UrlOf {
  return (kind, id) => {
    const digits = id.replaceAll("-", "");
    return pageUrl === undefined || kind === "user" || kind === "comment"
      ? `${publicUrl}/v2/${kind}s/${digits}`
      : pageUrl.replaceAll("{id}", digits).replaceAll("{kind}", kind);
  };
}

const AT_SERVICE = /\/v2\/(user|page|database|comment)s\/[^/]*$/;

/** The kind of object that a URL at a service leads to; undefined for other URLs. */
export function kindInUrl(url: string): Addressed | undefined {
  // Sound because the pattern has these names alone.
  return AT_SERVICE.exec(url)?.[1] as Addressed | undefined;
}

const ID =
  /(?<![0-9a-f])(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f])/gi;

/** The id of the object that a URL leads to: the last one in it, or that in the fragment. */
export function idInUrl(url: string): string | undefined {
  return url.match(ID)?.at(-1);
}
