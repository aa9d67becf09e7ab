/**
 * Verifies API keys.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { ApiKey, ApiKeyReader, FoundApiKey } from "../store/port.ts";
import { hashApiKey, isApiKey } from "./api_key_format.ts";
import type { Principal } from "./principal.ts";
import { InvalidToken } from "./token_errors.ts";
import type { TokenVerifier } from "./token_verifier.ts";

export interface ApiKeyVerifierOptions {
  readonly store: Pick<ApiKeyReader, "apiKey">;
  /** Called for each verified key; must not throw. */
  readonly onUse: (key: ApiKey, now: number) => void;
}

/**
 * Creates the verifier of API keys. Malformed keys cost no query.
 *
 * Keys are found by the hash of the whole secret, so the time of a query tells a caller nothing of
 * another secret. The holder of a key is told if it has expired, was revoked or replaced.
 */
export function createApiKeyVerifier({ store, onUse }: ApiKeyVerifierOptions): TokenVerifier {
  return async (token, now) => {
    if (!isApiKey(token)) {
      throw rejection("The API key is malformed: it was cut off or mistyped.");
    }
    const key = await store.apiKey(hashApiKey(token));
    if (key === undefined) throw new InvalidToken("No API key has this secret");
    assertValid(key, now);
    onUse(key, now);
    return toPrincipal(key);
  };
}

function assertValid(key: FoundApiKey, now: number): void {
  if (key.revokedTime !== null) throw rejection("The API key was revoked.");
  if (key.expiresTime !== null && key.expiresTime <= now) {
    throw rejection("The API key has expired.");
  }
  if (key.secretExpiresTime !== null && key.secretExpiresTime <= now) {
    throw rejection("The API key was replaced by a rotation: use the new one.");
  }
}

/** A rejection whose reason helps the holder of a key, and nobody else. */
function rejection(sentence: string): InvalidToken {
  return new InvalidToken(sentence.slice(0, -1), { detail: sentence });
}

function toPrincipal(key: FoundApiKey): Principal {
  const { id, workspace, name, scopes, expiresTime, secretExpiresTime } = key;
  return Object.freeze({
    workspace,
    userId: id,
    type: "bot",
    name,
    email: null,
    avatarUrl: null,
    scopes: new Set(scopes),
    subjectHash: apiKeyPseudonym(id),
    clientId: name,
    expiresAt: Math.min(expiresTime ?? Infinity, secretExpiresTime ?? Infinity),
  });
}

/**
 * Returns the pseudonym of a key in logs: 16 hex digits. Unlike the ID, it is in no reply, so that log
 * lines and content cannot be joined without the keys.
 */
export function apiKeyPseudonym(id: string): string {
  return createHash("sha256").update(`log\0recto-api-key\0${id}`).digest("hex").slice(0, 16);
}
