/**
 * The `Authorization` header and the `WWW-Authenticate` challenge (RFC 6750, RFC 9449, RFC 9728).
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import type { ProofErrorCode } from "./dpop/invalid_proof.ts";
import { DPOP_ALGORITHMS } from "./dpop/proof_key.ts";
import { InvalidToken, TOKEN_HINTS } from "./token_errors.ts";

const MAX_TOKEN_LENGTH = 8 * 1024;
const SCHEMES = { Bearer: /^bearer(?: +|$)/i, DPoP: /^dpop(?: +|$)/i } as const;
const SECOND_CREDENTIALS = /,\s*bearer\b/i;
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/** How an access token is sent: as it is, or with a proof of the key that it is bound to. */
export type TokenScheme = keyof typeof SCHEMES;

/** The mode of DPoP: tokens cannot, may or must be bound to a key (DPoP, RFC 9449). */
export type DpopMode = "off" | "accept" | "require";

/** The origin of the service, and the schemes that it offers. */
export interface ChallengeContext {
  readonly publicUrl: string;
  /** Default `off`. */
  readonly dpop?: DpopMode | undefined;
}

const OFFERED: Readonly<Record<DpopMode, readonly [TokenScheme, ...TokenScheme[]]>> = {
  off: ["Bearer"],
  accept: ["Bearer", "DPoP"],
  require: ["DPoP"],
};

/** Optional parameters of a challenge. */
export interface ChallengeOptions {
  /** The scheme that the client used, which the error belongs to; default `Bearer`. */
  readonly scheme?: TokenScheme;
  readonly error?:
    | "invalid_request"
    | "insufficient_scope"
    | "insufficient_user_authentication"
    | ProofErrorCode;
  readonly description?: string;
  /** The required scopes, separated by spaces. */
  readonly scope?: string;
  /** Sufficient authentication context classes, separated by spaces (RFC 9470 section 3). */
  readonly acrValues?: string;
}

/**
 * Returns the value of `WWW-Authenticate`: one challenge for each scheme that is offered, that of
 * the client first.
 *
 * Characters that a quoted string cannot contain are removed.
 */
export function challenge(
  { publicUrl, dpop = "off" }: ChallengeContext,
  { scheme = "Bearer", error, description, scope, acrValues }: ChallengeOptions = {},
): string {
  const offered = OFFERED[dpop];
  const used = offered.includes(scheme) ? scheme : offered[0];
  const metadata = `${publicUrl.replace(/\/$/, "")}/.well-known/oauth-protected-resource`;
  return [used, ...offered.filter((one) => one !== used)].map((one) => {
    const parameters: readonly (readonly [string, string | undefined])[] = [
      ["realm", "recto"],
      ["resource_metadata", metadata],
      ...(one === "DPoP" ? [["algs", DPOP_ALGORITHMS.join(" ")] as const] : []),
      ...(one === used
        ? [
          ...[["error", error], ["error_description", description]] as const,
          ...[["scope", scope], ["acr_values", acrValues]] as const,
        ]
        : []),
    ];
    const written = parameters.flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}="${quotable(value)}"`]
    );
    return `${one} ${written.join(", ")}`;
  }).join(", ");
}

function quotable(value: string): string {
  return value.replace(/[^\x20-\x7e]|["\\]/g, "");
}

/** The access token of a request. */
export interface Credentials {
  readonly scheme: TokenScheme;
  readonly token: string;
}

/** The spelling of nearly all clients. */
const USUAL = /^(?:Bearer|DPoP) (?! )/;
const SCHEME_AND_SPACES = /^(bearer|dpop) +/i;

/**
 * Returns one text for all spellings of an `Authorization` value: the case of the scheme and the
 * number of spaces behind it do not matter (RFC 9110 section 11.4).
 */
export function normalizeCredentials(authorization: string): string {
  if (USUAL.test(authorization)) return authorization;
  return authorization.replace(
    SCHEME_AND_SPACES,
    (_, scheme: string) => scheme.toLowerCase() === "dpop" ? "DPoP " : "Bearer ",
  );
}

/**
 * Returns the scheme and token of an `Authorization` value.
 *
 * Throws `unauthorized` if there is no token of an offered scheme or it is longer than 8 KiB, and
 * `invalid_request` if the header is malformed or was sent twice.
 */
export function readCredentials(
  authorization: string | null,
  context: ChallengeContext,
): Credentials {
  const value = authorization?.trim() ?? "";
  const found = findScheme(value, context);
  if (found === undefined) {
    throw SECOND_CREDENTIALS.test(value) ? malformed(context) : missing(context);
  }
  const { scheme, length } = found;
  const token = value.slice(length);
  if (token.length > MAX_TOKEN_LENGTH) {
    throw invalidToken(context, new InvalidToken("The token is longer than 8 KiB"), scheme);
  }
  if (!TOKEN.test(token)) throw malformed(context, scheme);
  return { scheme, token };
}

/** A bearer token is read even if DPoP is required, so that its client is told so. */
function findScheme(
  value: string,
  { dpop = "off" }: ChallengeContext,
): { readonly scheme: TokenScheme; readonly length: number } | undefined {
  const bearer = SCHEMES.Bearer.exec(value);
  if (bearer !== null) return { scheme: "Bearer", length: bearer[0].length };
  const proven = dpop === "off" ? null : SCHEMES.DPoP.exec(value);
  return proven === null ? undefined : { scheme: "DPoP", length: proven[0].length };
}

/**
 * Returns the error for an invalid token: the caller gets its detail or the sentence of its hint,
 * the log its reason.
 */
export function invalidToken(
  context: ChallengeContext,
  cause: InvalidToken,
  scheme: TokenScheme = "Bearer",
): AppError {
  const description = cause.detail ?? TOKEN_HINTS[cause.hint];
  return new AppError("unauthorized", description, {
    headers: {
      "WWW-Authenticate": challenge(context, { scheme, error: "invalid_token", description }),
    },
    cause,
    reason: cause.message,
  });
}

function missing(context: ChallengeContext): AppError {
  const detail = context.dpop === "require"
    ? "Send an access token that is bound to a key: Authorization: DPoP <token>, with a proof in DPoP."
    : "Send an access token: Authorization: Bearer <token>.";
  // RFC 6750 section 3.1: a challenge to a request without credentials has no error code.
  return new AppError("unauthorized", detail, {
    headers: { "WWW-Authenticate": challenge(context) },
  });
}

function malformed(context: ChallengeContext, scheme: TokenScheme = "Bearer"): AppError {
  const description = "The Authorization header must contain exactly one access token.";
  return new AppError("invalid_request", description, {
    headers: {
      "WWW-Authenticate": challenge(context, { scheme, error: "invalid_request", description }),
    },
  });
}
