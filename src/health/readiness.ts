/**
 * Readiness: whether the service can handle requests, and why not.
 *
 * @module
 */
import { UnexpectedStatus } from "../auth/fetch_json.ts";
import type { TokenSource } from "../auth/token_verifier.ts";
import { AppError, type ErrorCode } from "../shared/errors.ts";
import { type Log, summarize } from "../shared/log.ts";
import type { StorageHealth } from "./storage.ts";

/** Why the service is not ready, in words that are safe to publish. */
interface Issue {
  readonly issue: string;
  /** The error, for the log only. */
  readonly cause?: unknown;
}

export interface ReadinessOptions {
  readonly health: Pick<StorageHealth, "ping">;
  /** The blob store. */
  readonly files: { ping(): Promise<void> };
  readonly sources: readonly TokenSource[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly isDraining: () => boolean;
}

/** Checks everything that requests depend on, concurrently; no issues if the service is ready. */
export function createReadiness(
  { health, files, sources, now, isDraining }: ReadinessOptions,
): () => Promise<readonly Issue[]> {
  return async () => {
    const issues = await Promise.all([
      issueOf("the database", health.ping),
      issueOf("file storage", () => files.ping()),
      ...sources.map((source) => issueOfSource(source, now())),
    ]);
    return [...(isDraining() ? [{ issue: "the server is stopping" }] : []), ...issues.flat()];
  };
}

/** Logs a warning at the start if tokens cannot be verified; later, readiness reports it. */
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
  if (
    cause instanceof UnexpectedStatus &&
    ([401, 403].includes(cause.status) || cause.code === "invalid_client")
  ) {
    return "rejects the credentials of this service";
  }
  return (cause instanceof AppError ? STATES.get(cause.code) : undefined) ?? "is unreachable";
}
