/**
 * Turns the claims of a verified token into the caller.
 *
 * @module
 */
import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
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
}

/** Maximum length of each text claim in UTF-16 code units; a longer profile claim is ignored. */
const MAX_LENGTH = { workspace: 200, client: 200, name: 200, email: 200, picture: 2000 } as const;

/**
 * Returns the caller of verified claims.
 *
 * Identity is issuer and subject, never an e-mail address. Throws `InvalidToken` for an invalid
 * subject, workspace or scope, and for a token bound to a key (`cnf`): possession of such a token
 * proves nothing, and proof of the key is not checked here.
 */
export function toPrincipal(claims: Claims, expiresAt: number, rules: ClaimRules): Principal {
  if (claims.has("cnf")) {
    throw new InvalidToken("The token is bound to a key (cnf), which is not supported");
  }
  const subject = readSubject(claims);
  const identity = `${rules.issuer}\0${subject}`;
  return Object.freeze({
    workspace: readWorkspace(claims, rules),
    userId: toUserId(identity),
    type: isOwnClient(claims, subject) ? "bot" : "person",
    client: readText(claims.get("client_id") ?? claims.get("azp"), MAX_LENGTH.client),
    name: readProfile(claims.get("name"), MAX_LENGTH.name),
    email: readProfile(claims.get("email"), MAX_LENGTH.email),
    avatarUrl: readUrl(claims.get("picture")),
    scopes: readScopes(claims),
    subjectHash: sha256(`log\0${identity}`).toString("hex").slice(0, 16),
    expiresAt,
  });
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
