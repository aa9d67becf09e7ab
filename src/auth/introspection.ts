/**
 * Verifies opaque tokens by introspection (RFC 7662).
 *
 * @module
 */
import { type ClaimRules, type Claims, toPrincipal } from "./claims.ts";
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
  readonly audience: string;
  /** Default: the runtime's own. */
  readonly fetch?: Fetch;
  /** Records the outcome of each introspection. */
  readonly status?: Pick<IntrospectionStatus, "record">;
}

/**
 * Creates the verifier that introspects every token.
 *
 * `iss` and `aud` are optional in the response, and checked if present; without `exp` a token does
 * not expire. If the issuer fails or does not respond, the error is `service_unavailable`.
 */
export function createIntrospectionVerifier(options: IntrospectionOptions): TokenVerifier {
  const authorization = basicCredentials(options.clientId, options.clientSecret);
  return async (token, now) => {
    const claims = await introspect(token, authorization, options).catch((cause) => {
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
    // It may reject the token with 400; it has accepted our credentials by then.
    if (!(error instanceof UnexpectedStatus && error.status === 400)) throw error;
  }
}

function toClaims(body: unknown): Claims {
  const claims = new Map(Object.entries(Object(body)));
  if (typeof claims.get("active") !== "boolean") {
    throw new Error("Expected an introspection response with a boolean active");
  }
  return claims;
}

function checkClaims(claims: Claims, options: IntrospectionOptions): void {
  if (claims.get("active") !== true) throw new InvalidToken("The token is not active");
  if (claims.has("iss") && claims.get("iss") !== options.issuer) {
    throw new InvalidToken("The iss claim names another issuer");
  }
  if (claims.has("aud") && ![claims.get("aud")].flat().includes(options.audience)) {
    throw new InvalidToken("The aud claim does not name this service");
  }
}

/** Both parts are form-encoded before they are joined (RFC 6749 section 2.3.1). */
function basicCredentials(id: string, secret: string): string {
  return `Basic ${btoa(`${formEncode(id)}:${formEncode(secret)}`)}`;
}

function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}
