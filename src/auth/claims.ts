/**
 * What a verified token says about its bearer.
 *
 * @module
 */
import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { InvalidToken } from "./token_errors.ts";
import type { Principal } from "./principal.ts";

/** Names of a token's payload; a `Map`, since the names are the issuer's. */
export type Claims = ReadonlyMap<string, unknown>;

export interface ClaimRules {
  readonly issuer: string;
  /** The claim that names the tenant. */
  readonly workspaceClaim: string;
  /** The tenant of tokens without that claim. */
  readonly defaultWorkspace: string;
}

/** Longest texts taken from a token, in UTF-16 units; a longer one is left out. */
const MAX_LENGTH = { workspace: 200, name: 200, email: 200, picture: 2000 } as const;

/**
 * Turns verified claims into the caller.
 *
 * Identity is issuer and subject alone, never an e-mail. Throws `InvalidToken` for a subject,
 * workspace or scope of the wrong form, and for a token bound to a key (`cnf`): holding such a
 * token proves nothing, and nobody here checks the key.
 */
export function toPrincipal(claims: Claims, expiresAt: number, rules: ClaimRules): Principal {
  if (claims.has("cnf")) throw new InvalidToken("The token is bound to a key");
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
    subjectHash: sha256(`log\0${identity}`).toString("hex").slice(0, 16),
    expiresAt,
  });
}

function readSubject(claims: Claims): string {
  const subject = claims.get("sub");
  if (typeof subject !== "string" || subject === "" || !isPlainText(subject)) {
    throw new InvalidToken("The token's sub is no usable string");
  }
  return subject;
}

function readWorkspace(claims: Claims, rules: ClaimRules): string {
  if (!claims.has(rules.workspaceClaim)) return rules.defaultWorkspace;
  const workspace = readText(claims.get(rules.workspaceClaim), MAX_LENGTH.workspace);
  // A claim that is there and wrong must not lead to the default tenant.
  if (workspace === null) throw new InvalidToken(`The token's ${rules.workspaceClaim} is wrong`);
  return workspace;
}

/** `scope` counts before `scp`; runs of spaces separate like one. */
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
  if (typeof value !== "string") throw new InvalidToken("The token's scope has another type");
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

/** An issuer leaves out what it does not tell (OpenID Connect Core 5.3.2): what is empty is told. */
function readProfile(value: unknown, maxLength: number): string | null {
  return value === "" ? value : readText(value, maxLength);
}

function readText(value: unknown, maxLength: number): string | null {
  if (typeof value !== "string" || value === "" || value.length > maxLength) return null;
  return isPlainText(value) ? value : null;
}

/** Lone surrogates hash and encode alike, and PostgreSQL stores no NUL. */
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

// Not `crypto.subtle`: for so few bytes its way through another thread costs more than the hash.
function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
