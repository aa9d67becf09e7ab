/**
 * Settings for what the tokens of an issuer look like.
 *
 * @module
 */
import type { Settings } from "./variables.ts";

export interface TokensConfig {
  /** Accepted `typ` headers in lower case; `absent` for a missing one. */
  readonly types: readonly string[];
  /** Conditions for tokens of another type than `at+jwt`: they must meet one of each list. */
  readonly markers: readonly (readonly ClaimCondition[])[];
  /** Empty with the local issuer, which has its own. */
  readonly audiences: readonly string[];
  readonly audienceClaim: string;
  readonly scopeClaims: readonly string[];
  readonly scopePrefix: string;
  readonly acrClaims: readonly string[];
  readonly clientClaims: readonly string[];
  readonly nameClaim: string;
  readonly emailClaim: string;
}

interface ClaimCondition {
  readonly claim: string;
  readonly value?: string;
}

/** Settings that only make sense for tokens of another issuer. */
const ISSUER_SETTINGS = [
  ...["RECTO_AUTH_TOKEN_TYPES", "RECTO_AUTH_TOKEN_MARKERS", "RECTO_AUTH_AUDIENCE_CLAIM"],
  ...["RECTO_AUTH_SCOPE_CLAIM", "RECTO_AUTH_SCOPE_PREFIX", "RECTO_AUTH_CLIENT_CLAIM"],
  "RECTO_AUTH_ACR_CLAIM",
  ...["RECTO_AUTH_NAME_CLAIM", "RECTO_AUTH_EMAIL_CLAIM"],
] as const satisfies readonly (keyof Settings)[];

/** Claims that ID tokens may have, so that they cannot show that a token is an access token. */
const ID_TOKEN_CLAIMS = new Set([
  // OpenID Connect Core sections 2 and 5.1, Back-Channel Logout section 2.1.
  ...["iss", "sub", "aud", "exp", "iat", "nbf", "auth_time", "nonce", "acr", "amr", "azp", "sid"],
  ...["at_hash", "c_hash", "s_hash", "name", "given_name", "family_name", "middle_name"],
  ...["nickname", "preferred_username", "profile", "picture", "website", "email"],
  ...["email_verified", "gender", "birthdate", "zoneinfo", "locale", "phone_number"],
  ...["phone_number_verified", "address", "updated_at"],
  // Entra ID and Okta put these into both.
  ...["roles", "groups", "oid", "tid", "ver", "idp", "upn", "unique_name", "hd"],
]);

/** Returns what tokens look like, and reports settings that would let other tokens in. */
export function tokensOf(settings: Settings, issues: string[]): TokensConfig {
  const types = settings.RECTO_AUTH_TOKEN_TYPES ?? ["at+jwt"];
  const markers = settings.RECTO_AUTH_TOKEN_MARKERS ?? [];
  if (settings.RECTO_AUTH_ISSUER === undefined) {
    issues.push(
      ...ISSUER_SETTINGS.filter((name) => settings[name] !== undefined)
        .map((name) => `RECTO_AUTH_ISSUER must be set if ${name} is`),
    );
  }
  issues.push(...markerIssues(types, markers));
  return {
    types,
    markers,
    audiences: settings.RECTO_AUTH_AUDIENCE ??
      (settings.RECTO_PUBLIC_URL === undefined ? [] : [settings.RECTO_PUBLIC_URL]),
    audienceClaim: settings.RECTO_AUTH_AUDIENCE_CLAIM ?? "aud",
    scopeClaims: settings.RECTO_AUTH_SCOPE_CLAIM ?? ["scope", "scp"],
    scopePrefix: settings.RECTO_AUTH_SCOPE_PREFIX ?? "",
    acrClaims: settings.RECTO_AUTH_ACR_CLAIM ?? ["acr"],
    clientClaims: settings.RECTO_AUTH_CLIENT_CLAIM ?? ["client_id", "azp"],
    nameClaim: settings.RECTO_AUTH_NAME_CLAIM ?? "name",
    emailClaim: settings.RECTO_AUTH_EMAIL_CLAIM ?? "email",
  };
}

function markerIssues(types: readonly string[], markers: TokensConfig["markers"]): string[] {
  if (types.every((type) => type === "at+jwt")) return [];
  if (markers.some((conditions) => conditions.every(isMarker))) return [];
  const needed =
    "RECTO_AUTH_TOKEN_MARKERS must name a claim that ID tokens do not have, because RECTO_AUTH_TOKEN_TYPES accepts their type";
  return [`${needed}; docs/tokens.md has one for each issuer`];
}

function isMarker({ claim, value }: ClaimCondition): boolean {
  // Keycloak names the purpose of a token in `typ`.
  if (claim === "typ" && value === undefined) return false;
  return !ID_TOKEN_CLAIMS.has(claim);
}
