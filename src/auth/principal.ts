/**
 * The caller according to a verified token; immutable, and shared by all requests with that token.
 */
export interface Principal {
  /** The tenant; the caller can access nothing outside it. */
  readonly workspace: string;
  /** Stable ID of the caller's user: a UUID derived from issuer and subject. */
  readonly userId: string;
  /** `person`, or `bot` for a client acting for itself (client credentials). */
  readonly type: "person" | "bot";
  /** Name, email and avatar: null if the token has no such claim, `""` if the claim is empty. */
  readonly name: string | null;
  readonly email: string | null;
  readonly avatarUrl: string | null;
  /** The scopes, and `acr:VALUE` for how the user signed in. */
  readonly scopes: ReadonlySet<string>;
  /** The OAuth client that the token was issued to; null if the token does not say. */
  readonly clientId: string | null;
  /** Pseudonym of issuer and subject for the log: 16 hex digits. */
  readonly subjectHash: string;
  /** Expiry of the token, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /**
   * Thumbprint (RFC 7638) of the key that the token is bound to; undefined for a bearer token. Such a
   * caller must prove with each request that it holds the key.
   */
  readonly boundKey?: string;
}

/** The caller of a public route. It belongs to no workspace, so it can access no content. */
export const ANONYMOUS: Principal = Object.freeze({
  workspace: "",
  userId: "",
  type: "bot",
  name: null,
  email: null,
  avatarUrl: null,
  scopes: new Set<string>(),
  clientId: null,
  subjectHash: "",
  expiresAt: Infinity,
});
