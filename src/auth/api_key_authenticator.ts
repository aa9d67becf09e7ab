/**
 * Authenticates callers by API keys, and all others by tokens.
 *
 * @module
 */
import type { ApiKeyReader } from "../store/port.ts";
import { type Authenticator, createAuthenticator } from "./authenticator.ts";
import { holdsApiKey } from "./api_key_format.ts";
import { createApiKeyVerifier } from "./api_keys.ts";
import { createApiKeyUses } from "./api_key_uses.ts";
import { createReloadingAuthenticator } from "./reloading_authenticator.ts";
import { InvalidToken } from "./token_errors.ts";

export interface ApiKeyAuthenticatorOptions {
  /** The origin that challenges name. */
  readonly publicUrl: string;
  readonly store: ApiKeyReader;
}

export interface ClosableAuthenticator {
  readonly authenticator: Authenticator;
  /** Writes what is left to write; never rejects. */
  close(): Promise<void>;
}

/** Creates the authenticator of API keys. Changes of keys take effect within a second. */
export function createApiKeyAuthenticator(
  { publicUrl, store }: ApiKeyAuthenticatorOptions,
): ClosableAuthenticator {
  const uses = createApiKeyUses(store);
  const opaque = createApiKeyVerifier({ store, onUse: uses.add });
  const authenticator = createReloadingAuthenticator({
    context: { publicUrl },
    revision: store.apiKeyRevision,
    open: () => Promise.resolve(createAuthenticator({ publicUrl, opaque })),
  });
  return { authenticator, close: uses.close };
}

/** Creates the authenticator that refuses every API key. */
export function refuseApiKeys(publicUrl: string): Authenticator {
  const detail = "This service does not accept API keys.";
  const opaque = () => Promise.reject(new InvalidToken("RECTO_API_KEYS is false", { detail }));
  return createAuthenticator({ publicUrl, opaque });
}

/**
 * Divides callers between two authenticators by what they send. An API key is never judged as a
 * token, so that no issuer is sent one.
 */
export function divideApiKeys(apiKeys: Authenticator, tokens: Authenticator): Authenticator {
  const select = (authorization: string | null): Authenticator =>
    holdsApiKey(authorization) ? apiKeys : tokens;
  return {
    findCached: (authorization, now) => select(authorization).findCached(authorization, now),
    isCached: (authorization) => select(authorization).isCached(authorization),
    authenticate: (authorization, now) => select(authorization).authenticate(authorization, now),
    checkProof: tokens.checkProof,
    challenge: tokens.challenge,
  };
}
