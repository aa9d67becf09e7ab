/**
 * Verifies opaque tokens by introspection (RFC 7662).
 *
 * @module
 */
import { rejectOtherTokens } from "./access_tokens.ts";
import { checkAudience, checkIssuer, readAudience } from "./claim_checks.ts";
import type { Claims } from "./claim_path.ts";
import { type ClaimRules, toPrincipal } from "./claims.ts";
import { isSignedJwt, parseJwt } from "./compact_jws.ts";
import { type Fetch, fetchJson, UnexpectedStatus } from "./fetch_json.ts";
import type { IntrospectionStatus } from "./introspection_status.ts";
import { InvalidToken, unavailable } from "./token_errors.ts";
import { checkTimes } from "./times.ts";
import type { TokenVerifier } from "./token_verifier.ts";

const TIMEOUT = 2_000;
const RETRY_AFTER_SECONDS = 5;

export interface IntrospectionOptions extends ClaimRules {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default: the runtime's own. */
  readonly fetch?: Fetch;
  /** Records the outcome of each introspection. */
  readonly status?: Pick<IntrospectionStatus, "record">;
}

/**
 * Creates the verifier that introspects every token.
 *
 * `iss` is optional in the response, and checked if present; `aud` must name this service, or
 * `token_type` show that it is an access token. Without `exp` a token does not expire. ID tokens
 * are rejected whatever the issuer says of them. If the issuer fails or does not respond, the error
 * is `service_unavailable`; not if it only rejects this token, because no caller may make the
 * service look unavailable.
 */
export function createIntrospectionVerifier(options: IntrospectionOptions): TokenVerifier {
  const authorization = basicCredentials(options.clientId, options.clientSecret);
  return async (token, now) => {
    // The issuer may call an ID token active, and not say what it is.
    if (isSignedJwt(token)) rejectOtherTokens(parseJwt(token).claims);
    const claims = await introspect(token, authorization, options).catch((cause) => {
      if (isAboutToken(cause)) throw new InvalidToken("The issuer cannot introspect this token");
      options.status?.record(cause, now);
      throw unavailable(RETRY_AFTER_SECONDS, cause);
    });
    options.status?.record(undefined, now);
    checkClaims(claims, options);
    return toPrincipal(claims, checkTimes(claims, now), options);
  };
}

async function introspect(
  token: string,
  authorization: string,
  options: Pick<IntrospectionOptions, "url" | "fetch">,
): Promise<Claims> {
  const init: RequestInit = {
    method: "POST",
    headers: { authorization, accept: "application/json" },
    body: new URLSearchParams({ token, token_type_hint: "access_token" }),
    signal: AbortSignal.timeout(TIMEOUT),
  };
  return toClaims(await fetchJson(options.url, init, options.fetch ?? globalThis.fetch));
}

/** Introspects a token that does not exist; rejects if the issuer does not respond properly. */
export async function probeIntrospection(
  options: Pick<IntrospectionOptions, "url" | "clientId" | "clientSecret" | "fetch">,
): Promise<void> {
  try {
    const { clientId, clientSecret } = options;
    await introspect("readiness-probe", basicCredentials(clientId, clientSecret), options);
  } catch (error) {
    if (!isAboutToken(error)) throw error;
  }
}

/**
 * Returns whether the issuer rejects the token with 400, as `unsupported_token_type`, and not our
 * credentials.
 */
function isAboutToken(error: unknown): boolean {
  return error instanceof UnexpectedStatus && error.status === 400 &&
    !["invalid_client", "unauthorized_client", "access_denied"].includes(error.code ?? "");
}

function toClaims(body: unknown): Claims {
  const claims = new Map(Object.entries(Object(body)));
  if (typeof claims.get("active") !== "boolean") {
    throw new Error("Expected an introspection response with a boolean active");
  }
  return claims;
}

function checkClaims(claims: Claims, options: ClaimRules): void {
  if (claims.get("active") !== true) throw new InvalidToken("The token is not active");
  rejectOtherTokens(claims);
  if (claims.has("iss")) checkIssuer(claims, options.issuer);
  if (readAudience(claims, options) !== undefined) return checkAudience(claims, options);
  // Issuers call refresh tokens active as well; only access tokens have a type (RFC 7662 section
  // 2.2).
  if (!claims.has("token_type")) {
    throw new InvalidToken("The response of introspection has neither aud nor token_type");
  }
}

/** Both parts are form-encoded before they are joined (RFC 6749 section 2.3.1). */
function basicCredentials(id: string, secret: string): string {
  return `Basic ${btoa(`${formEncode(id)}:${formEncode(secret)}`)}`;
}

function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}
