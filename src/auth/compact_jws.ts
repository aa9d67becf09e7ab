/**
 * The form of a signed JWT, before its signature is checked.
 *
 * @module
 */
import * as base64url from "jose/base64url";
import type { Claims } from "./claim_path.ts";
import { parseStrictObject } from "./strict_json.ts";
import { InvalidToken } from "./token_errors.ts";

/** Header members that change the meaning of other parts; none is supported. */
export const UNSUPPORTED_MEMBERS = ["b64", "crit", "cty", "enc", "zip"];

/** A JWT whose signature nobody has checked. */
export interface UnverifiedJwt {
  readonly header: ReadonlyMap<string, unknown>;
  readonly claims: Claims;
}

/**
 * Returns whether a token is a signed JWT, or a malformed one: three parts, the first of them a
 * JSON object with `alg`.
 */
export function isSignedJwt(token: string): boolean {
  const [header = "", ...others] = token.split(".");
  if (others.length !== 2) return false;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(base64url.decode(header)));
    return typeof value === "object" && value !== null && Object.hasOwn(value, "alg");
  } catch {
    return false;
  }
}

/** Parses a compact JWS (RFC 7515 section 7.1) without checking its signature. */
export function parseJwt(token: string): UnverifiedJwt {
  const [header, payload, signature, ...others] = token.split(".");
  const isComplete = header !== undefined && payload !== undefined && signature !== undefined;
  if (!isComplete || others.length > 0) {
    throw new InvalidToken("The token is not a JWT; others need RECTO_AUTH_INTROSPECTION_URL");
  }
  const members = parseStrictObject(decodeCanonical(header));
  decodeCanonical(signature);
  return { header: members, claims: parseStrictObject(decodeCanonical(payload)) };
}

/**
 * Throws `InvalidToken` for a header that only some verifiers would understand, or without `kid`.
 */
export function checkHeader(header: ReadonlyMap<string, unknown>): void {
  const unsupported = UNSUPPORTED_MEMBERS.find((member) => header.has(member));
  if (unsupported !== undefined) {
    throw new InvalidToken(`The ${unsupported} header is not supported`);
  }
  if (typeof header.get("kid") !== "string") throw new InvalidToken("The kid header is missing");
}

/**
 * Decodes base64url; rejects a second spelling of the same bytes, so that a token has only one
 * form.
 */
export function decodeCanonical(part: string): Uint8Array {
  const bytes = decodeBase64Url(part);
  if (part === "" || base64url.encode(bytes) !== part) {
    throw new InvalidToken("A part of the token is not canonical base64url");
  }
  return bytes;
}

function decodeBase64Url(part: string): Uint8Array {
  try {
    return base64url.decode(part);
  } catch (cause) {
    throw new InvalidToken("A part of the token is not base64url", { cause });
  }
}
