/**
 * Connects verifiers, keys and the local issuer according to the configuration.
 *
 * @module
 */
import type { TokenSource } from "../auth/token_verifier.ts";
import { type Authenticator, createAuthenticator } from "../auth/authenticator.ts";
import type { ClaimRules } from "../auth/claims.ts";
import { openLocalIssuer } from "../auth/local_issuer.ts";
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
import type { SecretStore, UsedProofStore } from "../store/port.ts";
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
  readonly workspaceClaim: string;
  readonly defaultWorkspace: string;
  readonly dpop: DpopConfig | undefined;
  /** Where processes share which proofs were used, if they share a database. */
  readonly store: SecretStore & UsedProofStore;
}

export interface Authentication {
  readonly authenticator: Authenticator;
  /** Issuers from which clients can get tokens. */
  readonly issuers: readonly string[];
  /** Members of the protected resource metadata (RFC 9728 section 2). */
  readonly dpopMetadata: Readonly<Record<string, unknown>>;
  /** Services that token verification depends on. */
  readonly sources: readonly TokenSource[];
}

/** The trusted issuer, and how its tokens are verified. */
interface TokenTrust {
  readonly issuer: string;
  readonly audience: string;
  /** Undefined: every token is introspected. */
  readonly keys: KeySource | undefined;
  readonly introspection: (IssuerConfig["introspection"] & { readonly fetch: Fetch }) | undefined;
}

/** Opens authentication; sends no request to the issuer yet. */
export async function openAuthentication(options: AuthenticationOptions): Promise<Authentication> {
  const { auth, host, publicUrl, workspaceClaim, defaultWorkspace, dpop } = options;
  const trust = auth.kind === "local"
    ? await trustLocalIssuer(auth, options)
    : trustRemoteIssuer(auth, host);
  const { audience, introspection } = trust;
  const rules: ClaimRules = {
    ...{ issuer: trust.issuer, workspaceClaim, defaultWorkspace },
    acceptsBoundTokens: dpop !== undefined,
  };
  const proofGate = dpop && await openProofGate(dpop, options.store);
  const keys = trust.keys && createKeySet(trust.keys);
  const status = introspection &&
    createIntrospectionStatus(() => probeIntrospection(introspection));
  return {
    authenticator: createAuthenticator({
      publicUrl,
      ...(proofGate && { dpop: proofGate }),
      ...(keys && { jwt: createJwtVerifier({ ...rules, audience, keys }) }),
      ...(introspection && {
        opaque: createIntrospectionVerifier({
          ...{ ...rules, audience, ...introspection },
          ...(status && { status }),
        }),
      }),
    }),
    dpopMetadata: dpop === undefined ? {} : {
      dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
      dpop_bound_access_tokens_required: dpop.mode === "require",
    },
    issuers: auth.kind === "local" ? [] : [auth.issuer],
    sources: [
      ...(keys === undefined ? [] : [{ name: "the issuer's key set", ping: keys.ping }]),
      ...(status === undefined ? [] : [{ name: "token introspection", ping: status.ping }]),
    ],
  };
}

/**
 * Processes on one database share nonces and used proofs. A process that shares its database with no
 * other has nonces of its own, so that a proof from before its start is refused.
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

async function trustLocalIssuer(
  { audience }: LocalIssuerConfig,
  { dataDir, workspaceClaim }: AuthenticationOptions,
): Promise<TokenTrust> {
  const own = await openLocalIssuer({ folder: dataDir, audience, workspaceClaim });
  return {
    issuer: own.issuer,
    audience: own.audience,
    keys: () => Promise.resolve(own.jwks),
    introspection: undefined,
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
