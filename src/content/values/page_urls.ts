/**
 * Addresses of the service's objects.
 *
 * @module
 */

/** What an object is called in addresses. */
export type Addressed = "page" | "database" | "user" | "comment";
export type UrlOf = (kind: Addressed, id: string) => string;

/** The addresses of objects at a service that is reached at `publicUrl`. */
export function urlsAt(publicUrl: string): UrlOf {
  return (kind, id) => `${publicUrl}/v2/${kind}s/${id}`;
}
