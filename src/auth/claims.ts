/**
 * Turns the claims of a verified token into the caller.
 *
 * @module
 */
import type { Buffer } from "node:buffer";
import { createHash, createHmac } from "node:crypto";
import { InvalidToken } from "./token_errors.ts";
import type { Principal } from "./principal.ts";

/** The claims of a token; a `Map`, because their names come from outside. */
export type Claims = ReadonlyMap<string, unknown>;

export interface ClaimRules {
  readonly issuer: string;
  /** The claim that names the tenant. */
  readonly workspaceClaim: string;
  /** The tenant of tokens without that claim. */
  readonly defaultWorkspace: string;
  /** Key of the pseudonyms. Without one, whoever has a list of subjects can guess them. */
  readonly pseudonymKey?: Uint8Array;
  /** Whether tokens may be bound to a key (`cnf.jkt`), because proofs of it are checked. */
  readonly acceptsBoundTokens?: boolean;
}

/** Maximum length of each text claim in UTF-16 code units; a longer profile claim is ignored. */
const MAX_LENGTH = { workspace: 200, client: 200, name: 200, email: 200, picture: 2000 } as const;

/**
 * Returns the caller of verified claims.
 *
 * Identity is issuer and subject, never an e-mail address. Throws `InvalidToken` for an invalid
 * subject, workspace or scope, and for a token bound to a key (`cnf`) in a way that is not accepted:
 * possession of such a token proves nothing.
 */
export function toPrincipal(claims: Claims, expiresAt: number, rules: ClaimRules): Principal {
  const boundKey = readBoundKey(claims, rules);
  const subject = readSubject(claims);
  const identity = `${rules.issuer}\0${subject}`;
  return Object.freeze({
    workspace: readWorkspace(claims, rules),
    userId: toUserId(identity),
    type: isOwnClient(claims, subject) ? "bot" : "person",
    name: readProfile(claims.get("name"), MAX_LENGTH.name),
    email: readProfile(claims.get("email"), MAX_LENGTH.email),
    avatarUrl: readUrl(claims.get("picture")),
    scopes: readScopes(claims),
    clientId: readClientId(claims),
    subjectHash: toPseudonym(identity, rules),
    expiresAt,
    ...(boundKey !== undefined && { boundKey }),
  });
}

/** A SHA-256 thumbprint in base64url. */
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;

/** `jkt` must be alone: a certificate (`x5t#S256`, RFC 8705) beside it would have to be proved too. */
function readBoundKey(
  claims: Claims,
  { acceptsBoundTokens = false }: ClaimRules,
): string | undefined {
  if (!claims.has("cnf")) return undefined;
  if (!acceptsBoundTokens) {
    throw new InvalidToken("The token is bound to a key (cnf), which is not supported");
  }
  const members = new Map(Object.entries(Object(claims.get("cnf"))));
  const thumbprint = members.get("jkt");
  if (members.size !== 1 || typeof thumbprint !== "string" || !THUMBPRINT.test(thumbprint)) {
    throw new InvalidToken(
      "The token is bound (cnf) to something else than one key's thumbprint (jkt)",
    );
  }
  return thumbprint;
}

function readSubject(claims: Claims): string {
  const subject = claims.get("sub");
  if (typeof subject !== "string" || subject === "" || !isPlainText(subject)) {
    throw new InvalidToken("The sub claim is not a valid string");
  }
  return subject;
}

function readWorkspace(claims: Claims, rules: ClaimRules): string {
  if (!claims.has(rules.workspaceClaim)) return rules.defaultWorkspace;
  const workspace = readText(claims.get(rules.workspaceClaim), MAX_LENGTH.workspace);
  // An invalid claim must not lead to the default tenant.
  if (workspace === null) {
    throw new InvalidToken(`The ${rules.workspaceClaim} claim is invalid`);
  }
  return workspace;
}

/** `scope` takes precedence over `scp`; several spaces separate like one. */
function readScopes(claims: Claims): ReadonlySet<string> {
  if (claims.has("scope")) return splitScope(claims.get("scope"));
  if (!claims.has("scp")) return new Set();
  const scp = claims.get("scp");
  return Array.isArray(scp) ? new Set(scp.map(toScope)) : splitScope(scp);
}

function splitScope(value: unknown): ReadonlySet<string> {
  return new Set(toScope(value).split(" ").filter((scope) => scope !== ""));
}

function toScope(value: unknown): string {
  if (typeof value !== "string") {
    throw new InvalidToken("The scope or scp claim is not a string");
  }
  return value;
}

/** `client_id` (RFC 9068 section 2.2), or `azp` (OpenID Connect Core section 2). */
function readClientId(claims: Claims): string | null {
  return readText(claims.get("client_id"), MAX_LENGTH.client) ??
    readText(claims.get("azp"), MAX_LENGTH.client);
}

function toPseudonym(identity: string, { pseudonymKey }: ClaimRules): string {
  const text = `log\0${identity}`;
  const digest = pseudonymKey === undefined
    ? sha256(text)
    : createHmac("sha256", pseudonymKey).update(text).digest();
  return digest.toString("hex").slice(0, 16);
}

/** Client credentials: the client is its own subject (RFC 9068 section 2.2). */
function isOwnClient(claims: Claims, subject: string): boolean {
  return claims.get("client_id") === subject || claims.get("azp") === subject;
}

function readUrl(value: unknown): string | null {
  const url = readProfile(value, MAX_LENGTH.picture);
  return url !== null && /^(?:https?:\/\/|$)/i.test(url) ? url : null;
}

/**
 * Issuers omit claims they do not return (OpenID Connect Core 5.3.2), so an empty one is a value.
 */
function readProfile(value: unknown, maxLength: number): string | null {
  return value === "" ? value : readText(value, maxLength);
}

function readText(value: unknown, maxLength: number): string | null {
  if (typeof value !== "string" || value === "" || value.length > maxLength) return null;
  return isPlainText(value) ? value : null;
}

/** All lone surrogates have the same hash and encoding, and PostgreSQL cannot store NUL. */
function isPlainText(value: string): boolean {
  return value.isWellFormed() && !value.includes("\0");
}

/** A UUID of version 8 (RFC 9562 section 5.8): 122 bits of the hash. */
function toUserId(identity: string): string {
  const bytes = sha256(identity).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

// Not `crypto.subtle`, which is asynchronous.
function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
