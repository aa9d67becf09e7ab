/**
 * Faults of a database, one at a time.
 *
 * @module
 */
import { openConnection } from "../../../src/store/postgres/connection.ts";
import type { Session } from "../../../src/store/postgres/query.ts";
import { type Cluster, startCluster } from "../cluster.ts";
import { startPgBouncer } from "../pgbouncer.ts";
import type { Relay } from "../relay.ts";
import { pause } from "./load.ts";
import { type SmallDisk, useSmallDisk } from "./small_disk.ts";

export interface Scene {
  readonly cluster: Cluster;
  /** The relay between the processes and the server. */
  readonly relay: Relay;
  /** The disk with the server's data, if the fault needs one. */
  readonly disk: SmallDisk | undefined;
  /** Disposes what the fault started at the end of the trial. */
  readonly stack: AsyncDisposableStack;
}

export interface Issue {
  readonly name: string;
  /** Clients; default 24. */
  readonly clients?: number;
  /** Connections of each process; default 10. */
  readonly connections?: number;
  /** The disk for the server's data. */
  readonly onDisk?: typeof useSmallDisk;
  /** The URL for the processes; by default the relay's. */
  url?(scene: Scene): Promise<string>;
  /** Causes the fault; settles when it is over. */
  strike(scene: Scene): Promise<void>;
}

export const ISSUES: readonly Issue[] = [
  {
    name: "-m immediate, 3 s away",
    async strike({ cluster }) {
      await cluster.halt("immediate");
      await pause(3_000);
      await cluster.start();
    },
  },
  {
    name: "SIGSTOP of all, 15 s",
    async strike({ cluster }) {
      const ids = [await cluster.pid()];
      await asAdmin(cluster, async ({ send }) => {
        const others = await send("SELECT pid FROM pg_stat_activity", []);
        ids.push(...others.map(([id]) => Number(id)));
      });
      for (const id of ids) signal(id, "SIGSTOP");
      await pause(15_000);
      for (const id of ids) signal(id, "SIGCONT");
    },
  },
  {
    name: "pg_terminate_backend of all, 5 s",
    strike: ({ cluster }) =>
      asAdmin(cluster, async ({ send }) => {
        for (let round = 0; round < 25; round++, await pause(200)) {
          await send(
            `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND application_name = 'recto'`,
            [],
          );
        }
      }),
  },
  {
    name: "LOCK TABLE, 20 s",
    strike: ({ cluster }) =>
      asAdmin(cluster, async ({ send }) => {
        await send("SET idle_in_transaction_session_timeout = 0", []);
        await send("BEGIN", []);
        await send("LOCK TABLE nodes IN ACCESS EXCLUSIVE MODE", []);
        await pause(20_000);
        await send("COMMIT", []);
      }),
  },
  {
    name: "2 connections, 200 clients, 8 s",
    clients: 200,
    connections: 2,
    strike: () => pause(8_000),
  },
  {
    name: "read-only, 5 s",
    strike: ({ cluster }) =>
      asAdmin(cluster, async ({ send }) => {
        await send("SET default_transaction_read_only = off", []);
        const set = (value: string) =>
          send(`ALTER DATABASE postgres SET default_transaction_read_only = ${value}`, []);
        await set("on");
        await send(
          `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
          WHERE pid <> pg_backend_pid() AND application_name = 'recto'`,
          [],
        );
        await pause(5_000);
        await set("off");
      }),
  },
  {
    name: "disk full, 6 s",
    onDisk: useSmallDisk,
    async strike({ disk, cluster }) {
      await disk?.fill();
      await pause(6_000);
      await disk?.clear();
      // The server ends if it cannot write its log.
      await cluster.start().catch(() => {});
    },
  },
  {
    name: "silent connections",
    async strike({ relay }) {
      relay.silence();
      await pause(15_000);
    },
  },
  {
    name: "nothing passes, 15 s",
    async strike({ relay }) {
      relay.hang();
      await pause(15_000);
      relay.resume();
    },
  },
  {
    name: "PgBouncer by sessions, crash",
    async url({ cluster, stack }) {
      return stack.use(await startPgBouncer(cluster.url, "session")).url;
    },
    async strike({ cluster }) {
      await cluster.halt("immediate");
      await cluster.start();
    },
  },
  {
    name: "failover to the standby",
    async url({ cluster, stack }) {
      const standby = stack.use(await startCluster({ standbyOf: cluster.url, ...SYNCHRONOUS }));
      await asAdmin(cluster, async ({ send }) => {
        // Otherwise the primary's last acknowledged commits exist nowhere else.
        await send("ALTER SYSTEM SET synchronous_standby_names = '*'", []);
        await send("SELECT pg_reload_conf()", []);
      });
      standbys.set(cluster, standby);
      const hosts = [cluster, standby].map(({ url }) => new URL(url).host).join();
      return cluster.url.replace(/@[^/]+/, `@${hosts}`) + "?target_session_attrs=read-write";
    },
    async strike({ cluster }) {
      await cluster.halt("immediate");
      await standbys.get(cluster)?.promote();
    },
  },
];

const SYNCHRONOUS = { settings: ["hot_standby=on"] };
const standbys = new WeakMap<Cluster, Cluster>();

function signal(id: number, name: Deno.Signal): void {
  try {
    Deno.kill(id, name);
  } catch (error) {
    // The session that asked has ended.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Runs work on a session that the fault does not affect. */
async function asAdmin(
  { url }: Cluster,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const { session, close } = openConnection({
    url: `${url}?application_name=admin`,
    size: 2,
    isPatient: true,
  });
  try {
    await work(session);
  } finally {
    await close();
  }
}
