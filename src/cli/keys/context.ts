/**
 * The functions that the commands on keys share.
 *
 * @module
 */
import { hashApiKey, isApiKey } from "../../auth/api_key_format.ts";
import { type Config, type Environment, readConfig } from "../../config/config.ts";
import { OperatorError } from "../../store/operator_error.ts";
import type { ApiKey, ApiKeyStore } from "../../store/port.ts";
import { exists } from "../../store/sqlite/file.ts";
import { onDatabase } from "../command.ts";
import { parseDuration } from "../duration.ts";
import { type Options, UsageError } from "../options.ts";

export interface KeysContext {
  readonly environment: Environment;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Reads standard input. */
  readonly readInput: () => Promise<string>;
}

const DAY = 86_400;
const MAX_GRACE = 30 * DAY;
const MAX_LIFETIME = 3_650 * DAY;

/** Runs work on the API keys of the configured database, which a first command creates. */
export function onKeys<T>(
  { environment }: KeysContext,
  work: (store: ApiKeyStore) => Promise<T>,
): Promise<T> {
  return onDatabase(readConfig(environment).database, async (database) => {
    const store = await database.openCommandStore();
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  });
}

/**
 * Throws `OperatorError` if there is no SQLite file yet, so that looking for a key creates none.
 */
export async function assertDatabase({ environment }: KeysContext): Promise<void> {
  const { database } = readConfig(environment);
  if (database.kind === "sqlite" && !await exists(database.path)) {
    throw new OperatorError(`No such database: ${database.path}`);
  }
}

/** Throws `OperatorError` if the server would refuse a new key. */
export function assertAccepted({ apiKeys }: Config): void {
  if (!apiKeys) throw new OperatorError("RECTO_API_KEYS is false: the server refuses all API keys");
}

/** Returns the key with this ID, or the key that `text` is; throws `OperatorError`. */
export async function findKey(store: ApiKeyStore, text: string): Promise<ApiKey> {
  const key = isApiKey(text)
    ? await store.apiKey(hashApiKey(text))
    : (await store.apiKeys()).find(({ id }) => id === text);
  if (key !== undefined) return key;
  // The text may be a secret.
  throw new OperatorError("No API key has this ID: `recto keys list` lists them");
}

/** Returns the one positional argument; throws `UsageError` otherwise. */
export function readPositional({ positionals }: Options, name: string): string {
  const [text, ...more] = positionals;
  if (text === undefined || text === "") throw new UsageError(`${name} is missing`);
  if (more.length > 0) throw new UsageError(`Expected only one ${name}`);
  return text;
}

/** Throws `UsageError` if there are positional arguments. */
export function assertNoPositionals({ positionals: [first] }: Options): void {
  if (first !== undefined) throw new UsageError(`Unexpected argument: ${JSON.stringify(first)}`);
}

/** Returns `--grace` in milliseconds, by default a day; throws `UsageError`. */
export function readGrace({ values }: Options): number {
  const text = values.get("grace") ?? "24h";
  const seconds = parseDuration(text);
  if (seconds !== undefined && seconds <= MAX_GRACE) return seconds * 1000;
  throw new UsageError(`--grace must be 0s to 30d, such as 24h: "${text}"`);
}

/** Returns `--expires` in milliseconds, and undefined if it is not set; throws `UsageError`. */
export function readLifetime({ values }: Options): number | undefined {
  const text = values.get("expires");
  if (text === undefined) return undefined;
  const seconds = parseDuration(text);
  if (seconds !== undefined && seconds > 0 && seconds <= MAX_LIFETIME) return seconds * 1000;
  throw new UsageError(`--expires must be 1s to 3650d, such as 90d: "${text}"`);
}
