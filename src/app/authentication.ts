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
import type { TokenRules } from "../auth/token_rules.ts";
import { openLocalIssuer } from "../auth/local_issuer.ts";
import { issuerFileRevision } from "../auth/local_issuer_file.ts";
import { createReloadingAuthenticator } from "../auth/reloading_authenticator.ts";
import { unavailable } from "../auth/token_errors.ts";
import type { Fetch } from "../auth/fetch_json.ts";
import { createNonces } from "../auth/dpop/nonces.ts";
import type { ProofGateOptions } from "../auth/dpop/proof_gate.ts";
import { DPOP_ALGORITHMS } from "../auth/dpop/proof_key.ts";
import { createUsedProofs } from "../auth/dpop/used_proofs.ts";
import { createIntrospectionVerifier, probeIntrospection } from "../auth/introspection.ts";
import { createIntrospectionStatus } from "../auth/introspection_status.ts";
import { createJwtVerifier } from "../auth/jwt.ts";
import { fileKeys, issuerKeys, type KeySource, urlKeys } from "../auth/key_sources.ts";
import { createKeySet } from "../auth/keys.ts";
import { guardFetch } from "../auth/networks.ts";
import type { ApiKeyReader, SecretStore, UsedProofStore } from "../store/port.ts";
import {
  type Config,
  type DpopConfig,
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
  /** True if API keys are accepted. */
  readonly apiKeys: boolean;
  readonly dpop: DpopConfig | undefined;
  /** The store of keys, secrets and used proofs. Processes of one database share it. */
  readonly store: ApiKeyReader & SecretStore & UsedProofStore;
}

export interface Authentication {
  readonly authenticator: Authenticator;
  /** Issuers from which clients can get tokens. */
  readonly issuers: readonly string[];
  /** Members of the protected resource metadata (RFC 9728 section 2). */
  readonly dpopMetadata: Readonly<Record<string, unknown>>;
  /** The URL that clients request tokens for (RFC 8707). */
  readonly resource: string;
  /** Services that token verification depends on. */
  readonly sources: readonly TokenSource[];
  /** Writes what is left to write; never rejects. */
  close(): Promise<void>;
}

/** With what all tokens share. */
interface OpenedOptions extends AuthenticationOptions {
  readonly gate: ProofGateOptions | undefined;
  /** Key of the pseudonyms in the logs. */
  readonly pseudonymKey: Uint8Array;
}

/** Authentication by tokens alone. */
type TokenAuthentication = Omit<Authentication, "close" | "dpopMetadata">;

/** The trusted issuer, and how its tokens are verified. */
interface TokenTrust {
  readonly issuer: string;
  readonly audiences: readonly string[];
  /** Undefined: the issuer signs no tokens, and every token is introspected. */
  readonly keys: KeySource | undefined;
  readonly introspection: (IssuerConfig["introspection"] & { readonly fetch: Fetch }) | undefined;
}

/** Opens authentication by tokens and API keys; sends no request to the issuer yet. */
export async function openAuthentication(options: AuthenticationOptions): Promise<Authentication> {
  const { auth, dpop, store } = options;
  const opened: OpenedOptions = {
    ...options,
    gate: dpop && await openProofGate(dpop, store),
    pseudonymKey: await store.secret("pseudonyms"),
  };
  const tokens = auth.kind === "local"
    ? await openLocalTokens(auth, opened)
    : openRemoteTokens(auth, opened);
  const apiKeys = openApiKeys(options);
  return {
    ...tokens,
    authenticator: divideApiKeys(apiKeys.authenticator, tokens.authenticator),
    dpopMetadata: dpop === undefined ? {} : {
      dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
      dpop_bound_access_tokens_required: dpop.mode === "require",
    },
    close: apiKeys.close,
  };
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
  options: OpenedOptions,
): Promise<TokenAuthentication> {
  const { dataDir, publicUrl, workspaceClaim, gate } = options;
  const openIssuer = () => openLocalIssuer({ folder: dataDir, audience, workspaceClaim });
  const openAuthenticator = async (): Promise<Authenticator> => {
    const own = await openIssuer();
    const rules = claimRules({ issuer: own.issuer, audiences: [own.audience] }, options);
    const keys = createKeySet(() => Promise.resolve(own.jwks));
    const jwt = createJwtVerifier({ ...rules, keys });
    return createAuthenticator({ publicUrl, ...(gate && { dpop: gate }), jwt: own.guard(jwt) });
  };
  // Creates the file, and rejects at once if that is impossible.
  const { audience: ownAudience } = await openIssuer();
  const authenticator = createReloadingAuthenticator({
    context: { publicUrl, dpop: gate?.mode },
    revision: () => issuerFileRevision(dataDir).catch(unreadable),
    open: () => openAuthenticator().catch(unreadable),
  });
  const source = { name: "the local issuer's key file", ping: authenticator.refresh };
  const resource = resourceOf([ownAudience], publicUrl);
  return { authenticator, issuers: [], resource, sources: [source] };
}

function unreadable(cause: unknown): never {
  throw unavailable(RETRY_AFTER, cause);
}

function claimRules(
  { issuer, audiences }: Pick<ClaimRules, "issuer" | "audiences">,
  { tokens, workspaceClaim, defaultWorkspace, dpop, pseudonymKey }: OpenedOptions,
): ClaimRules {
  return {
    ...tokens,
    issuer,
    audiences,
    workspaceClaim,
    defaultWorkspace,
    acceptsBoundTokens: dpop !== undefined,
    pseudonymKey,
  };
}

function openRemoteTokens(
  remote: IssuerConfig,
  options: OpenedOptions,
): TokenAuthentication {
  const trust = trustRemoteIssuer(remote, options);
  const { audiences, introspection } = trust;
  const { publicUrl, gate } = options;
  const rules = claimRules(trust, options);
  const keys = trust.keys && createKeySet(trust.keys);
  const status = introspection &&
    createIntrospectionStatus(() => probeIntrospection(introspection));
  return {
    authenticator: createAuthenticator({
      publicUrl,
      ...(gate && { dpop: gate }),
      ...(keys && { jwt: createJwtVerifier({ ...rules, keys }) }),
      ...(introspection && {
        opaque: createIntrospectionVerifier({
          ...rules,
          ...introspection,
          ...(status && { status }),
        }),
      }),
    }),
    issuers: [remote.issuer],
    resource: resourceOf(audiences, publicUrl),
    sources: [
      ...(keys === undefined ? [] : [{ name: "the issuer's key set", ping: keys.ping }]),
      ...(status === undefined ? [] : [{ name: "token introspection", ping: status.ping }]),
    ],
  };
}

/**
 * Processes on one database share nonces and used proofs. A process that shares its database with
 * no other has nonces of its own, so that a proof from before its start is refused.
 */
async function openProofGate(
  { mode, needsNonce }: DpopConfig,
  { usedProofs, secret }: AuthenticationOptions["store"],
): Promise<ProofGateOptions> {
  const key = usedProofs === undefined
    ? crypto.getRandomValues(new Uint8Array(32))
    : await secret("dpop");
  return {
    mode,
    usedProofs: usedProofs ?? createUsedProofs(),
    nonces: needsNonce ? createNonces(key) : undefined,
  };
}

/**
 * Returns the audience that is a URL, as RFC 9728 section 2 demands: the origin of this service if
 * it is one of them, because clients compare it with what they call.
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
