/**
 * Detects connections that went silent, and reads that wait too long.
 *
 * A connection may be open and transmit nothing, for example because a proxy dropped it or a host
 * is gone. Its client cannot tell that from a slow statement, but another connection can ask the
 * server which of its processes are working.
 *
 * @module
 */
import type { Client } from "./client.ts";
import { ConnectionCut } from "./connection_cut.ts";
import type { DriverOptions } from "./driver.ts";
import { isServerError, late } from "./failures.ts";
import { runSingleQuery } from "./single_query.ts";
import type { PhysicalConnection } from "./physical_connection.ts";
import { type Clock, EVERYONE, type Health } from "./pending_replies.ts";
import type { Servers } from "./servers.ts";

export interface WatchOptions {
  readonly servers: Servers;
  readonly driver: DriverOptions;
  readonly clock: Clock;
  readonly health: Health;
  /** Connections shared by single reads, which queue behind each other. */
  readonly shared: readonly Client[];
  /** Connections reserved by one caller at a time. */
  readonly own: readonly Client[];
  /** True if single reads may take as long as the server's own limit. */
  readonly isPatient: boolean;
}

/** Seconds a reply may take before the server is asked whether it is still working on it. */
export const SILENCE = 3;
/** Like `SILENCE`, but after another connection was found to be silent. */
const ALARM = 1;
/** Milliseconds the server has to answer that question. */
export const INQUIRY = 3_000;
/** Seconds after which a connection is closed if the server cannot be asked. */
const UNKNOWN = 8;
/** Seconds a read may wait: a little longer than the server waits for a lock. */
const READ = 6;
/** Seconds for which a lock that timed out is assumed to be still held. */
const BLOCKED = 3;

/** Ends backends that wait for us, because they may hold locks. Returns the others. */
const WORKING = `
  SELECT backend FROM (
    SELECT pid, state, pid || ' ' || extract(epoch FROM backend_start) AS backend,
      state LIKE 'idle%' AND state_change < clock_timestamp() - interval '1 second' AS waits
    FROM pg_stat_activity
  ) activity
  WHERE backend = ANY (string_to_array($1, ',')) AND CASE WHEN waits THEN pg_terminate_backend(pid) END IS NULL
`;

/** Starts to check once a second. Returns the function that stops it. */
export function startWatch(options: WatchOptions): () => Promise<void> {
  const { clock, health } = options;
  let asking: Promise<void> | undefined;
  let alarm = -Infinity;
  const ask = async (suspects: readonly PhysicalConnection[]): Promise<void> => {
    if (await judge(options, suspects)) alarm = clock.now;
    asking = undefined;
  };
  const look = (): void => {
    clock.now++;
    if (!options.isPatient) refuseReads(options);
    const least = clock.now - alarm < SILENCE ? ALARM : SILENCE;
    const suspects = linesOf(options).filter((line) => ageOf(line, clock) >= least);
    if (suspects.length > 0 || !health.isUp) asking ??= ask(suspects);
  };
  const timer = setInterval(look, 1_000);
  return async () => {
    clearInterval(timer);
    await asking;
  };
}

/** The state of a watch. */
export type Watched = Pick<WatchOptions, "clock" | "health">;

/** Workspaces that are remembered as blocked. */
const REMEMBERED = 1_000;

/** Records that waiting for a lock timed out. */
export function noteBlocked({ clock, health }: Watched, workspace = EVERYONE): void {
  // Most of them are so no longer.
  if (health.blockedUntil.size >= REMEMBERED) health.blockedUntil.clear();
  health.blockedUntil.set(workspace, clock.now + BLOCKED);
}

/**
 * Returns whether waiting for a lock that may be this workspace's timed out just now; other statements
 * are likely to wait for it, too.
 */
export function isBlocked({ clock, health }: Watched, workspace = EVERYONE): boolean {
  return [EVERYONE, workspace].some((key) => clock.now < (health.blockedUntil.get(key) ?? 0));
}

/**
 * Returns whether a new statement on this connection would queue behind one that has waited too
 * long.
 */
export function isStuck({ line }: Client, watched: Watched): boolean {
  return line !== undefined && ageOf(line, watched.clock) >= (isBlocked(watched) ? 1 : READ);
}

function refuseReads(options: WatchOptions): void {
  const stuck = options.shared.filter((client) => isStuck(client, options));
  // Only for reads that had the full time; otherwise the state would never end under load.
  if (stuck.some(({ line }) => line !== undefined && ageOf(line, options.clock) >= READ)) {
    noteBlocked(options);
  }
  for (const { line } of stuck) line?.refuse(options.clock.now, late());
}

function linesOf({ shared, own }: WatchOptions): PhysicalConnection[] {
  return [...shared, ...own].flatMap(({ line }) => line ?? []);
}

/** Returns how many seconds the oldest pending reply has taken. */
function ageOf({ since }: PhysicalConnection, { now }: Clock): number {
  return since === undefined ? 0 : now - since;
}

/** Closes connections for which the server does no work; returns whether there are any. */
async function judge(
  options: WatchOptions,
  suspects: readonly PhysicalConnection[],
): Promise<boolean> {
  const checked = suspects.map((line) => ({ line, since: line.since, backend: line.backend }));
  const isWorking = await askServer(options, checked.flatMap(({ backend }) => backend ?? []));
  const silent = checked.filter(({ line, since, backend }) =>
    // A connection that has responded in the meantime is not silent.
    !line.isCut && line.since === since &&
    (isWorking === undefined || backend === undefined
      ? ageOf(line, options.clock) >= UNKNOWN
      : !isWorking.has(backend))
  );
  if (silent.length === 0) return false;
  for (const { line } of silent) {
    line.cut(new ConnectionCut("The connection to the database is silent"));
  }
  // Other connections may be silent, too. Busy ones show it by themselves; idle ones are replaced.
  for (const client of [...options.shared, ...options.own]) client.renew();
  return true;
}

/** Which of these are at work: none if the server does not answer, undefined if it cannot say. */
async function askServer(
  { servers: server, driver, health }: WatchOptions,
  backends: readonly string[],
): Promise<ReadonlySet<unknown> | undefined> {
  try {
    const values = [backends.join()];
    const rows = await runSingleQuery({ server, driver, text: WORKING, values, limit: INQUIRY });
    health.isUp = true;
    return new Set(rows.map(([backend]) => backend));
  } catch (error) {
    health.isUp = isServerError(error);
    return health.isUp ? undefined : new Set();
  }
}
