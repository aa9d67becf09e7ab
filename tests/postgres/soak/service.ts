/**
 * Runs several processes of the service on one PostgreSQL server.
 *
 * @module
 */
import { openLocalIssuer } from "../../../src/auth/local_issuer.ts";
import { rectoArgs, rectoEnv, startProcess } from "../../bench/processes.ts";
import { freePort } from "../../support/ports.ts";
import { ALL_SCOPES } from "../../support/app.ts";
import { type Cluster, startCluster } from "../cluster.ts";

const PROCESSES = 4;
const LIFE = 24 * 60 * 60;

export interface Service extends AsyncDisposable {
  readonly cluster: Cluster;
  /** Ports, one per process. */
  readonly ports: readonly number[];
  /** Mints a token for a user of this workspace. */
  mint(workspace: string, sub: string): Promise<string>;
}

/** Starts the database, then all processes at once. */
export async function startService(): Promise<Service> {
  await using starting = new AsyncDisposableStack();
  const cluster = starting.use(await startCluster());
  const folder = await Deno.makeTempDir({ prefix: "recto-soak-" });
  starting.defer(() => Deno.remove(folder, { recursive: true }));
  const issuer = await openLocalIssuer({ folder });
  const ports = Array.from({ length: PROCESSES }, freePort);
  await Promise.all(ports.map(async (port) => {
    const env = { ...rectoEnv(port, folder), DATABASE_URL: cluster.url, RECTO_LOG_LEVEL: "off" };
    starting.use(await startProcess(rectoArgs(folder), { port, env }));
  }));
  const started = starting.move();
  return {
    cluster,
    ports,
    mint: (workspace, sub) =>
      issuer.mint({ scope: ALL_SCOPES, workspace, sub, ttlSeconds: LIFE, now: Date.now() }),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
