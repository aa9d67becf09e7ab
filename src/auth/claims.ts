/**
 * Turns the claims of a verified token into the caller.
 *
 * @module
 */
import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { type Claims, findClaim, findFirstClaim } from "./claim_path.ts";
import type { Principal } from "./principal.ts";
import { pseudonymOf } from "./pseudonym.ts";
import { readGrants } from "./scopes.ts";
import { InvalidToken } from "./token_errors.ts";
import type { TokenRules } from "./token_rules.ts";

export interface ClaimRules extends TokenRules {
  readonly issuer: string;
  /** Path of the claim that names the tenant. */
  readonly workspaceClaim: string;
  /** The tenant of tokens without that claim. */
  readonly defaultWorkspace: string;
  /** Key of the pseudonyms. Without one, whoever has a list of subjects can guess them. */
  readonly pseudonymKey?: Uint8Array;
  /** True if tokens may be bound to a key (`cnf.jkt`), because proofs of it are checked. */
  readonly acceptsBoundTokens?: boolean;
}

/** Maximum length of each text claim in UTF-16 code units; a longer profile claim is ignored. */
const MAX_LENGTH = { workspace: 200, client: 200, name: 200, email: 200, picture: 2000 } as const;

/**
 * Returns the caller of verified claims.
 *
 * Identity is issuer and subject, never an e-mail address. A token without `sub` belongs to its
 * client. Throws `InvalidToken` for an invalid subject, workspace or scope, and for a token bound
 * to a key (`cnf`) in a way that is not accepted: possession of such a token proves nothing.
 */
export function toPrincipal(claims: Claims, expiresAt: number, rules: ClaimRules): Principal {
  const boundKey = readBoundKey(claims, rules);
  const client = readText(findFirstClaim(claims, rules.clientClaims), MAX_LENGTH.client);
  const subject = readSubject(claims, client);
  const identity = toIdentity(rules.issuer, subject, client);
  return Object.freeze({
    workspace: readWorkspace(claims, rules),
    userId: toUserId(identity),
    type: isMachine(claims, subject, client) ? "bot" : "person",
    name: readProfile(findClaim(claims, rules.nameClaim), MAX_LENGTH.name),
    email: readProfile(findClaim(claims, rules.emailClaim), MAX_LENGTH.email),
    avatarUrl: readUrl(claims.get("picture")),
    scopes: readGrants(claims, rules),
    clientId: client,
    subjectHash: pseudonymOf(identity, rules.pseudonymKey),
    expiresAt,
    ...(boundKey !== undefined && { boundKey }),
  });
}

/** A SHA-256 thumbprint in base64url. */
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;

/**
 * `jkt` must be alone: a certificate (`x5t#S256`, RFC 8705) beside it would have to be proved too.
 */
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

/** Without `sub` the client is the subject (RFC 9068 section 2.2). */
function readSubject(claims: Claims, client: string | null): string {
  const subject = claims.has("sub") ? claims.get("sub") : client;
  if (subject === null && !claims.has("sub")) {
    throw new InvalidToken("The sub claim is missing, and no claim names the client");
  }
  if (typeof subject !== "string" || subject === "" || !isPlainText(subject)) {
    throw new InvalidToken("The sub claim is not a valid string");
  }
  return subject;
}

function readWorkspace(claims: Claims, rules: ClaimRules): string {
  const claim = findClaim(claims, rules.workspaceClaim);
  if (claim === undefined) return rules.defaultWorkspace;
  const workspace = readText(claim, MAX_LENGTH.workspace);
  // An invalid claim must not lead to the default tenant.
  if (workspace === null) {
    throw new InvalidToken(`The ${rules.workspaceClaim} claim is invalid`);
  }
  return workspace;
}

/**
 * A client that is its own subject is not the person whose `sub` equals its name: whoever can
 * register clients could take that person's identity (RFC 9700 section 4.15). No subject contains
 * NUL.
 */
function toIdentity(issuer: string, subject: string, client: string | null): string {
  return subject === client ? `${issuer}\0client\0${subject}` : `${issuer}\0${subject}`;
}

/** How issuers mark the token of a client that acts for itself (client credentials). */
function isMachine(claims: Claims, subject: string, client: string | null): boolean {
  if (subject === client) return true;
  // Auth0.
  if (client !== null && subject === `${client}@clients`) return true;
  // Keycloak.
  if (client !== null && claims.get("preferred_username") === `service-account-${client}`) {
    return true;
  }
  // Entra ID.
  return claims.get("idtyp") === "app";
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
