/** Who is calling, as one verified token says; immutable and shared by all requests of that token. */
export interface Principal {
  /** The tenant: every row this caller can reach belongs to it. */
  readonly workspace: string;
  /** Stable id of the caller's user in that workspace: a UUID derived from issuer and subject. */
  readonly userId: string;
  /** `person`, or `bot` for a client acting for itself (client credentials). */
  readonly type: "person" | "bot";
  /** These three: null where the token says nothing of it, `""` where it says that there is none. */
  readonly name: string | null;
  readonly email: string | null;
  readonly avatarUrl: string | null;
  readonly scopes: ReadonlySet<string>;
  /** Pseudonym of issuer and subject for the log: 16 hex digits. */
  readonly subjectHash: string;
  /** When the token ends, ms since the epoch. */
  readonly expiresAt: number;
}

/** Nobody: the caller of a public route. It belongs to no workspace, so it can find nothing. */
export const ANONYMOUS: Principal = Object.freeze({
  workspace: "",
  userId: "",
  type: "bot",
  name: null,
  email: null,
  avatarUrl: null,
  scopes: new Set<string>(),
  subjectHash: "",
  expiresAt: Infinity,
});
