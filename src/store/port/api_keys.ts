/**
 * API keys: secrets that stand for a bot of one workspace.
 *
 * @module
 */

export interface ApiKey {
  /** Also the ID of its user. */
  readonly id: string;
  readonly workspace: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch, like all times here. */
  readonly createdTime: number;
  /** Null: it does not expire. */
  readonly expiresTime: number | null;
  readonly revokedTime: number | null;
  /** Start of the hour of its last use; null if it was never used. */
  readonly usedTime: number | null;
}

export type NewApiKey = Pick<ApiKey, "id" | "name" | "scopes" | "createdTime" | "expiresTime">;

/** A key, found by one of its secrets. */
export interface FoundApiKey extends ApiKey {
  /** When this secret ends, because a rotation replaced it; null for the newest one. */
  readonly secretExpiresTime: number | null;
}

export interface ApiKeyRotation {
  /** Hash of the new secret. */
  readonly hash: string;
  readonly now: number;
  /** When the secrets before end, unless they end sooner. */
  readonly graceEnd: number;
  /** The new expiry of the key. */
  readonly expiresTime: number | null;
}

/** The use of a key in one hour. */
export interface ApiKeyUse {
  readonly workspace: string;
  readonly id: string;
  /** Start of the hour. */
  readonly time: number;
}

/** The reads of a running server. They span all workspaces: a request has only its key. */
export interface ApiKeyReader {
  /** Returns the key that has a secret with this hash, also if it has expired or was revoked. */
  apiKey(hash: string): Promise<FoundApiKey | undefined>;

  /** Returns a number that grows with every change of a key, other than its last use. */
  apiKeyRevision(): Promise<number>;

  /** Notes uses that are later than those noted before. */
  noteApiKeyUses(uses: readonly ApiKeyUse[]): Promise<void>;
}

export interface ApiKeyStore extends ApiKeyReader {
  /** Returns the keys of all workspaces, in the order of workspaces and IDs. */
  apiKeys(): Promise<ApiKey[]>;

  /** Adds a key with the hash of its first secret. */
  addApiKey(workspace: string, key: NewApiKey, hash: string): Promise<void>;

  /** Adds a secret; false, and nothing happens, if there is no such key or it was revoked. */
  rotateApiKey(workspace: string, id: string, rotation: ApiKeyRotation): Promise<boolean>;

  /** Ends a key with all of its secrets; false if there is no such key or it was revoked before. */
  revokeApiKey(workspace: string, id: string, now: number): Promise<boolean>;
}
