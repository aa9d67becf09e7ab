/**
 * Connects verifiers, keys and the local issuer according to the configuration.
 *
 * @module
 */
import type { TokenSource } from "../auth/token_verifier.ts";
import { type Authenticator, createAuthenticator } from "../auth/authenticator.ts";
import type { ClaimRules } from "../auth/claims.ts";
import type { TokenRules } from "../auth/token_rules.ts";
import { openLocalIssuer } from "../auth/local_issuer.ts";
import type { Fetch } from "../auth/fetch_json.ts";
import { createIntrospectionVerifier, probeIntrospection } from "../auth/introspection.ts";
import { createIntrospectionStatus } from "../auth/introspection_status.ts";
import { createJwtVerifier } from "../auth/jwt.ts";
import { fileKeys, issuerKeys, type KeySource, urlKeys } from "../auth/key_sources.ts";
import { createKeySet } from "../auth/keys.ts";
import { guardFetch } from "../auth/networks.ts";
import {
  type Config,
  isLoopback,
  type IssuerConfig,
  type LocalIssuerConfig,
} from "../config/config.ts";

export interface AuthenticationOptions {
  readonly auth: Config["auth"];
  /** Address to listen on. */
  readonly host: string;
  /** Folder of the local issuer's keys. */
  readonly dataDir: string;
  readonly publicUrl: string;
  readonly tokens: TokenRules;
  readonly workspaceClaim: string;
  readonly defaultWorkspace: string;
}

export interface Authentication {
  readonly authenticator: Authenticator;
  /** Issuers from which clients can get tokens. */
  readonly issuers: readonly string[];
  /** The URL that clients request tokens for (RFC 8707). */
  readonly resource: string;
  /** Services that token verification depends on. */
  readonly sources: readonly TokenSource[];
}

/** The trusted issuer, and how its tokens are verified. */
interface TokenTrust {
  readonly issuer: string;
  readonly audiences: readonly string[];
  /** Undefined: the issuer signs no tokens, and every token is introspected. */
  readonly keys: KeySource | undefined;
  readonly introspection: (IssuerConfig["introspection"] & { readonly fetch: Fetch }) | undefined;
}

/** Opens authentication; sends no request to the issuer yet. */
export async function openAuthentication(options: AuthenticationOptions): Promise<Authentication> {
  const { auth, publicUrl, tokens, workspaceClaim, defaultWorkspace } = options;
  const trust = auth.kind === "local"
    ? await trustLocalIssuer(auth, options)
    : trustRemoteIssuer(auth, options);
  const { issuer, audiences, introspection } = trust;
  const rules: ClaimRules = { ...tokens, issuer, audiences, workspaceClaim, defaultWorkspace };
  const keys = trust.keys && createKeySet(trust.keys);
  const status = introspection &&
    createIntrospectionStatus(() => probeIntrospection(introspection));
  return {
    authenticator: createAuthenticator({
      publicUrl,
      ...(keys && { jwt: createJwtVerifier({ ...rules, keys }) }),
      ...(introspection && {
        opaque: createIntrospectionVerifier({
          ...{ ...rules, ...introspection },
          ...(status && { status }),
        }),
      }),
    }),
    issuers: auth.kind === "local" ? [] : [auth.issuer],
    resource: resourceOf(audiences, publicUrl),
    sources: [
      ...(keys === undefined ? [] : [{ name: "the issuer's key set", ping: keys.ping }]),
      ...(status === undefined ? [] : [{ name: "token introspection", ping: status.ping }]),
    ],
  };
}

async function trustLocalIssuer(
  { audience }: LocalIssuerConfig,
  { dataDir, workspaceClaim }: AuthenticationOptions,
): Promise<TokenTrust> {
  const own = await openLocalIssuer({ folder: dataDir, audience, workspaceClaim });
  return {
    issuer: own.issuer,
    audiences: [own.audience],
    keys: () => Promise.resolve(own.jwks),
    introspection: undefined,
  };
}

/**
 * Returns the audience that is a URL, as RFC 9728 section 2 demands: the origin of this service if it
 * is one of them, because clients compare it with what they call.
 */
function resourceOf(audiences: readonly string[], publicUrl: string): string {
  if (audiences.includes(publicUrl)) return publicUrl;
  return audiences.find((audience) => /^https?:\/\/[^#]+$/.test(audience)) ?? publicUrl;
}

function trustRemoteIssuer(
  remote: IssuerConfig,
  { host, tokens }: AuthenticationOptions,
): TokenTrust {
  const { issuer, introspection, privateNetworks, plainHttp } = remote;
  const fetch = guardFetch({ privateNetworks, plainHttp, loopback: isLoopback(host) });
  return {
    issuer,
    audiences: tokens.audiences,
    keys: keySourceOf(remote, fetch),
    introspection: introspection && { ...introspection, fetch },
  };
}

function keySourceOf(
  { issuer, signsTokens, jwksUrl, jwksFile, plainHttp }: IssuerConfig,
  fetch: Fetch,
): KeySource | undefined {
  if (jwksFile !== undefined) return fileKeys(jwksFile);
  if (jwksUrl !== undefined) return urlKeys(jwksUrl, fetch);
  return signsTokens ? issuerKeys(issuer, fetch, plainHttp) : undefined;
}
