/**
 * Opaque tokens: the issuer is asked about each (RFC 7662).
 *
 * @module
 */
import { type ClaimRules, type Claims, toPrincipal } from "./claims.ts";
import { type Fetch, fetchJson, UnexpectedStatus } from "./fetch_json.ts";
import type { IntrospectionStatus } from "./introspection_status.ts";
import { InvalidToken, unavailable } from "./token_errors.ts";
import { checkTimes } from "./times.ts";
import type { TokenVerifier } from "./token_verifier.ts";

const TIME_OUT = 2_000;
const RETRY_AFTER_SECONDS = 5;

export interface IntrospectionOptions extends ClaimRules {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly audience: string;
  /** Default: the runtime's own. */
  readonly fetch?: Fetch;
  /** Hears what became of each question: what it failed with, or undefined. */
  readonly status?: Pick<IntrospectionStatus, "record">;
}

/**
 * Creates the verifier that asks the issuer about every token.
 *
 * `iss` and `aud` are optional in the answer, and must be ours where they are given; without `exp`
 * a token has no known end. A failing or silent issuer is `service_unavailable`, never a bad token.
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
    signal: AbortSignal.timeout(TIME_OUT),
  };
  return toClaims(await fetchJson(options.url, init, options.fetch ?? globalThis.fetch));
}

/** Asks about a token that nobody has: rejects if the issuer does not answer us. */
export async function probeIntrospection(
  options: Pick<IntrospectionOptions, "url" | "clientId" | "clientSecret" | "fetch">,
): Promise<void> {
  try {
    const { clientId, clientSecret } = options;
    await introspect("readiness-probe", basicCredentials(clientId, clientSecret), options);
  } catch (error) {
    // It may find fault with the token; it has accepted our credentials then.
    if (!(error instanceof UnexpectedStatus && error.status === 400)) throw error;
  }
}

function toClaims(answer: unknown): Claims {
  const claims = new Map(Object.entries(Object(answer)));
  if (typeof claims.get("active") !== "boolean") {
    throw new Error("Expected an introspection answer with a boolean active");
  }
  return claims;
}

function checkClaims(claims: Claims, options: IntrospectionOptions): void {
  if (claims.get("active") !== true) throw new InvalidToken("The token is not active");
  if (claims.has("iss") && claims.get("iss") !== options.issuer) {
    throw new InvalidToken("The token is another issuer's");
  }
  if (claims.has("aud") && ![claims.get("aud")].flat().includes(options.audience)) {
    throw new InvalidToken("The token is for another audience");
  }
}

/** Both parts are form-encoded before they are joined (RFC 6749 section 2.3.1). */
function basicCredentials(id: string, secret: string): string {
  return `Basic ${btoa(`${formEncode(id)}:${formEncode(secret)}`)}`;
}

function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}
