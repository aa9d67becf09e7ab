/**
 * Runs PgBouncer in front of a server, on a free port.
 *
 * @module
 */
import { freePort } from "../support/ports.ts";

export interface PgBouncer extends AsyncDisposable {
  /** URL of the database behind PgBouncer. */
  readonly url: string;
}

/** Startup parameters of our connections, which PgBouncer refuses unless it may ignore them. */
const TOLD = "statement_timeout,lock_timeout,idle_in_transaction_session_timeout,enable_seqscan," +
  "plan_cache_mode,jit,search_path,extra_float_digits";

/** Starts it; rejects if Debian's package `pgbouncer` is not installed. */
export async function startPgBouncer(url: string, mode: string): Promise<PgBouncer> {
  const { hostname, port, pathname, username } = new URL(url);
  const folder = await Deno.makeTempDir({ prefix: "recto-pgbouncer-" });
  const own = freePort();
  const config = `${folder}/pgbouncer.ini`;
  await Deno.writeTextFile(
    config,
    `[databases]
* = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 20
server_login_retry = 1
ignore_startup_parameters = ${TOLD}
`,
  );
  // It refuses to run as root.
  const words = ["pgbouncer", "-q", config];
  const isRoot = Deno.uid() === 0;
  if (isRoot) await new Deno.Command("chown", { args: ["-R", "postgres", folder] }).output();
  const asUser = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", ...words];
  const [command = "", ...args] = isRoot ? asUser : words;
  const process = new Deno.Command(command, { args, stdout: "null", stderr: "null" }).spawn();
  await accepts(own);
  return {
    url: `postgres://${username}@127.0.0.1:${own}${pathname}`,
    async [Symbol.asyncDispose]() {
      process.kill("SIGKILL");
      await process.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function accepts(port: number): Promise<void> {
  for (let attempt = 0;; attempt++) {
    try {
      return (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    } catch (error) {
      if (attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
