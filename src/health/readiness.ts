/**
 * Whether the service can do its work, and why not.
 *
 * @module
 */
import { UnexpectedStatus } from "../auth/fetch_json.ts";
import type { TokenSource } from "../auth/token_verifier.ts";
import { AppError, type ErrorCode } from "../shared/errors.ts";
import { type Log, summarize } from "../shared/log.ts";
import type { StorageHealth } from "./storage.ts";

/** Why the service cannot do its work, in words for everyone. */
interface Issue {
  readonly issue: string;
  /** What was caught, for the log alone. */
  readonly cause?: unknown;
}

export interface ReadinessOptions {
  readonly health: Pick<StorageHealth, "ping">;
  /** Where the bytes of files are. */
  readonly files: { ping(): Promise<void> };
  readonly sources: readonly TokenSource[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly isDraining: () => boolean;
}

/** Asks all that requests depend on, at once; no faults if the service is ready. */
export function createReadiness(
  { health, files, sources, now, isDraining }: ReadinessOptions,
): () => Promise<readonly Issue[]> {
  return async () => {
    const issues = await Promise.all([
      issueOf("the database", health.ping),
      issueOf("files", () => files.ping()),
      ...sources.map((source) => issueOfSource(source, now())),
    ]);
    return [...(isDraining() ? [{ issue: "the server is stopping" }] : []), ...issues.flat()];
  };
}

/** Warns, once at the start, of what tokens cannot be verified with; after that readiness tells. */
export async function warnOfSources(
  sources: readonly TokenSource[],
  log: Log,
  now: number,
): Promise<void> {
  for (const source of sources) {
    for (const { issue, cause } of await issueOfSource(source, now)) {
      log.event("warn", `Tokens cannot be verified: ${issue}`, { error: summarize(cause) });
    }
  }
}

function issueOfSource({ name, ping }: TokenSource, now: number): Promise<readonly Issue[]> {
  return issueOf(name, () => ping(now));
}

async function issueOf(name: string, check: () => Promise<void>): Promise<readonly Issue[]> {
  try {
    await check();
    return [];
  } catch (cause) {
    return [{ issue: `${name} ${stateOf(cause)}`, cause }];
  }
}

const STATES: ReadonlyMap<ErrorCode, string> = new Map([
  ["storage_full", "is full"],
  ["storage_read_only", "is read-only"],
  ["data_corrupted", "is damaged"],
]);

function stateOf(cause: unknown): string {
  if (cause instanceof UnexpectedStatus && [401, 403].includes(cause.status)) {
    return "refuses the credentials of this service";
  }
  return (cause instanceof AppError ? STATES.get(cause.code) : undefined) ?? "is out of reach";
}
