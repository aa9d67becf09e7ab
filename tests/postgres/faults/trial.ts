/**
 * Runs one fault under load and measures its effects.
 *
 * @module
 */
import { openLocalIssuer } from "../../../src/auth/local_issuer.ts";
import { rectoArgs, rectoEnv, startProcess } from "../../bench/processes.ts";
import { freePort } from "../../support/ports.ts";
import { ALL_SCOPES } from "../../support/app.ts";
import { startCluster } from "../cluster.ts";
import { startRelay } from "../relay.ts";
import type { Issue, Scene } from "./faults.ts";
import { type Outcome, pause, startLoad } from "./load.ts";

const PROCESSES = 2;
const CLIENTS = 24;
const LIFE_SECONDS = 3_600;
/** Milliseconds of load before and after the fault. */
const BEFORE = 2_000;
const AFTER = 8_000;

export interface Result extends Outcome {
  /**
   * Milliseconds from the end of the fault until every request succeeded within three seconds
   * again.
   */
  readonly back: number;
}

/** Runs a trial on new servers; undefined if a prerequisite is missing. */
export async function runTrial(issue: Issue): Promise<Result | undefined> {
  await using stack = new AsyncDisposableStack();
  const disk = await issue.onDisk?.();
  if (issue.onDisk !== undefined && disk === undefined) return undefined;
  if (disk !== undefined) stack.use(disk);
  const cluster = stack.use(await startCluster(disk && { dir: disk.folder, settings: SMALL }));
  const relay = stack.use(startRelay(cluster.url));
  const scene: Scene = { cluster, relay, disk, stack };
  const url = await issue.url?.(scene) ?? relay.url;
  const folder = await Deno.makeTempDir({ prefix: "recto-faults-" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const issuer = await openLocalIssuer({ folder });
  const ports = Array.from({ length: PROCESSES }, freePort);
  for (const port of ports) {
    const env = {
      ...rectoEnv(port, folder),
      DATABASE_URL: url,
      RECTO_DATABASE_CONNECTIONS: String(issue.connections ?? 10),
      RECTO_LOG_LEVEL: "off",
    };
    stack.use(await startProcess(rectoArgs(folder), { port, env }));
  }
  const token = await issuer.mint({
    scope: ALL_SCOPES,
    workspace: "faults",
    sub: "client",
    ttlSeconds: LIFE_SECONDS,
    now: Date.now(),
  });
  const load = await startLoad({ ports, token, clients: issue.clients ?? CLIENTS });
  await pause(BEFORE);
  await issue.strike(scene);
  const end = performance.now();
  await pause(AFTER);
  const outcome = await load.stop();
  return { ...outcome, back: Math.max(0, outcome.last - end) };
}

/** Keeps a small disk from filling up with the log alone. */
const SMALL = ["max_wal_size=64MB", "min_wal_size=32MB"];
