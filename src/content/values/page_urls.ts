/**
 * URLs of the service's objects.
 *
 * @module
 */

/** Names of objects in URLs. */
export type Addressed = "page" | "database" | "user" | "comment";
export type UrlOf = (kind: Addressed, id: string) => string;

/** The URLs of objects at a service with the origin `publicUrl`. */
export function urlsAt(publicUrl: string): UrlOf {
  return (kind, id) => `${publicUrl}/v2/${kind}s/${id}`;
}
