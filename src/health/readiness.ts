/**
 * Whether the service can do its work, and why not.
 *
 * @module
 */
import { UnexpectedStatus } from "../auth/fetch_json.ts";
import type { TokenSource } from "../authentication.ts";
import { AppError, type ErrorCode } from "../errors.ts";
import { type Log, summarize } from "../observe.ts";
import type { StorageHealth } from "./storage.ts";

/** Why the service cannot do its work, in words for everyone. */
interface Fault {
  readonly fault: string;
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
): () => Promise<readonly Fault[]> {
  return async () => {
    const faults = await Promise.all([
      faultOf("the database", health.ping),
      faultOf("files", () => files.ping()),
      ...sources.map((source) => faultOfSource(source, now())),
    ]);
    return [...(isDraining() ? [{ fault: "the server is stopping" }] : []), ...faults.flat()];
  };
}

/** Warns, once at the start, of what tokens cannot be verified with; after that readiness tells. */
export async function warnOfSources(
  sources: readonly TokenSource[],
  log: Log,
  now: number,
): Promise<void> {
  for (const source of sources) {
    for (const { fault, cause } of await faultOfSource(source, now)) {
      log.event("warn", `Tokens cannot be verified: ${fault}`, { error: summarize(cause) });
    }
  }
}

function faultOfSource({ name, ping }: TokenSource, now: number): Promise<readonly Fault[]> {
  return faultOf(name, () => ping(now));
}

async function faultOf(name: string, check: () => Promise<void>): Promise<readonly Fault[]> {
  try {
    await check();
    return [];
  } catch (cause) {
    return [{ fault: `${name} ${stateOf(cause)}`, cause }];
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
