/**
 * Connects verifiers, keys and the local issuer according to the configuration.
 *
 * @module
 */
import type { TokenSource } from "../auth/token_verifier.ts";
import { type Authenticator, createAuthenticator } from "../auth/authenticator.ts";
import {
  type ClosableAuthenticator,
  createApiKeyAuthenticator,
  divideApiKeys,
  refuseApiKeys,
} from "../auth/api_key_authenticator.ts";
import type { ClaimRules } from "../auth/claims.ts";
import { openLocalIssuer } from "../auth/local_issuer.ts";
import { issuerFileRevision } from "../auth/local_issuer_file.ts";
import { createReloadingAuthenticator } from "../auth/reloading_authenticator.ts";
import { unavailable } from "../auth/token_errors.ts";
import type { Fetch } from "../auth/fetch_json.ts";
import { createIntrospectionVerifier, probeIntrospection } from "../auth/introspection.ts";
import { createIntrospectionStatus } from "../auth/introspection_status.ts";
import { createJwtVerifier } from "../auth/jwt.ts";
import { fileKeys, issuerKeys, type KeySource, urlKeys } from "../auth/key_sources.ts";
import { createKeySet } from "../auth/keys.ts";
import { guardFetch } from "../auth/networks.ts";
import type { ApiKeyReader } from "../store/port.ts";
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
  readonly workspaceClaim: string;
  readonly defaultWorkspace: string;
  /** Whether API keys are accepted. */
  readonly apiKeys: boolean;
  readonly store: ApiKeyReader;
  /** Key of the pseudonyms in the logs. */
  readonly pseudonymKey?: Uint8Array;
}

export interface Authentication {
  readonly authenticator: Authenticator;
  /** Issuers from which clients can get tokens. */
  readonly issuers: readonly string[];
  /** Services that token verification depends on. */
  readonly sources: readonly TokenSource[];
  /** Writes what is left to write; never rejects. */
  close(): Promise<void>;
}

/** Authentication by tokens alone. */
type TokenAuthentication = Omit<Authentication, "close">;

/** The trusted issuer, and how its tokens are verified. */
interface TokenTrust {
  readonly issuer: string;
  readonly audience: string;
  /** Undefined: every token is introspected. */
  readonly keys: KeySource | undefined;
  readonly introspection: (IssuerConfig["introspection"] & { readonly fetch: Fetch }) | undefined;
}

/** Opens authentication by tokens and API keys; sends no request to the issuer yet. */
export async function openAuthentication(options: AuthenticationOptions): Promise<Authentication> {
  const { auth } = options;
  const tokens = auth.kind === "local"
    ? await openLocalTokens(auth, options)
    : openRemoteTokens(auth, options);
  const apiKeys = openApiKeys(options);
  const authenticator = divideApiKeys(apiKeys.authenticator, tokens.authenticator);
  return { ...tokens, authenticator, close: apiKeys.close };
}

function openApiKeys({ apiKeys, publicUrl, store }: AuthenticationOptions): ClosableAuthenticator {
  return apiKeys
    ? createApiKeyAuthenticator({ publicUrl, store })
    : { authenticator: refuseApiKeys(publicUrl), close: () => Promise.resolve() };
}

/** Seconds after which clients try again while the local issuer's file cannot be read. */
const RETRY_AFTER = 5;

/** The local issuer's tokens: a rotation or revocation on its file takes effect within a second. */
async function openLocalTokens(
  { audience }: LocalIssuerConfig,
  { dataDir, publicUrl, workspaceClaim, defaultWorkspace, pseudonymKey }: AuthenticationOptions,
): Promise<TokenAuthentication> {
  const openAuthenticator = async (): Promise<Authenticator> => {
    const own = await openLocalIssuer({ folder: dataDir, audience, workspaceClaim });
    const rules: ClaimRules = {
      ...{ issuer: own.issuer, workspaceClaim, defaultWorkspace },
      ...(pseudonymKey && { pseudonymKey }),
    };
    const keys = createKeySet(() => Promise.resolve(own.jwks));
    const jwt = createJwtVerifier({ ...rules, audience: own.audience, keys });
    return createAuthenticator({ publicUrl, jwt: own.guard(jwt) });
  };
  // Creates the file, and rejects at once if that is impossible.
  await openAuthenticator();
  const authenticator = createReloadingAuthenticator({
    publicUrl,
    revision: () => issuerFileRevision(dataDir).catch(unreadable),
    open: () => openAuthenticator().catch(unreadable),
  });
  const source = { name: "the local issuer's key file", ping: authenticator.refresh };
  return { authenticator, issuers: [], sources: [source] };
}

function unreadable(cause: unknown): never {
  throw unavailable(RETRY_AFTER, cause);
}

function openRemoteTokens(
  remote: IssuerConfig,
  { host, publicUrl, workspaceClaim, defaultWorkspace, pseudonymKey }: AuthenticationOptions,
): TokenAuthentication {
  const trust = trustRemoteIssuer(remote, host);
  const { audience, introspection } = trust;
  const rules: ClaimRules = {
    issuer: trust.issuer,
    ...{ workspaceClaim, defaultWorkspace },
    ...(pseudonymKey && { pseudonymKey }),
  };
  const keys = trust.keys && createKeySet(trust.keys);
  const status = introspection &&
    createIntrospectionStatus(() => probeIntrospection(introspection));
  return {
    authenticator: createAuthenticator({
      publicUrl,
      ...(keys && { jwt: createJwtVerifier({ ...rules, audience, keys }) }),
      ...(introspection && {
        opaque: createIntrospectionVerifier({
          ...{ ...rules, audience, ...introspection },
          ...(status && { status }),
        }),
      }),
    }),
    issuers: [remote.issuer],
    sources: [
      ...(keys === undefined ? [] : [{ name: "the issuer's key set", ping: keys.ping }]),
      ...(status === undefined ? [] : [{ name: "token introspection", ping: status.ping }]),
    ],
  };
}

function trustRemoteIssuer(remote: IssuerConfig, host: string): TokenTrust {
  const { introspection, privateNetworks } = remote;
  const fetch = guardFetch({ privateNetworks, loopback: isLoopback(host) });
  return {
    ...remote,
    keys: keySourceOf(remote, fetch),
    introspection: introspection && { ...introspection, fetch },
  };
}

/** With an introspection endpoint and no configured keys, every token is introspected. */
function keySourceOf(
  { issuer, jwksUrl, jwksFile, introspection }: IssuerConfig,
  fetch: Fetch,
): KeySource | undefined {
  if (jwksFile !== undefined) return fileKeys(jwksFile);
  if (jwksUrl !== undefined) return urlKeys(jwksUrl, fetch);
  return introspection === undefined ? issuerKeys(issuer, fetch) : undefined;
}
