/**
 * nginx and Caddy with the settings in `deploy/`, changed only in ports, names and times.
 *
 * @module
 */
import { listening, type RunningProcess, startCommand } from "../bench/processes.ts";
import { freePort } from "../support/ports.ts";

export interface DeployedProxyOptions {
  /** The folder of its settings and of the files that it writes. */
  readonly folder: string;
  readonly port: number;
  /** Port of the server behind it. */
  readonly behind: number;
}

export const DEPLOYED_PROXIES: Readonly<
  Record<string, (options: DeployedProxyOptions) => Promise<RunningProcess>>
> = { nginx: startNginx, Caddy: startCaddy };

/** Replaces texts that must be there. */
function replaced(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((all, [from, to]) => {
    if (!all.includes(from)) throw new Error(`The sample has no ${from}`);
    return all.replaceAll(from, to);
  }, text);
}

async function startNginx(
  { folder, port, behind }: DeployedProxyOptions,
): Promise<RunningProcess> {
  const sample = await Deno.readTextFile("deploy/nginx/recto.conf");
  await Deno.writeTextFile(
    `${folder}/recto.conf`,
    replaced(sample, {
      "127.0.0.1:8000": `127.0.0.1:${behind}`,
      "listen 443 ssl;": `listen 127.0.0.1:${port};`,
      "ssl_certificate /etc/ssl/recto.example.pem;": "",
      "ssl_certificate_key /etc/ssl/private/recto.example.key;": "",
      // So that the test need not wait for long.
      " 10s;": " 1s;",
    }),
  );
  const conf = `${folder}/nginx.conf`;
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
  await Deno.writeTextFile(
    conf,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 64; }
http { access_log off; ${paths} include ${folder}/recto.conf; }
`,
  );
  return await startCommand("nginx", ["-p", folder, "-c", conf], { port, ready: listening });
}

async function startCaddy(
  { folder, port, behind }: DeployedProxyOptions,
): Promise<RunningProcess> {
  const conf = `${folder}/Caddyfile`;
  const sample = await Deno.readTextFile("deploy/caddy/Caddyfile");
  await Deno.writeTextFile(
    conf,
    replaced(sample, { "read_header 10s": "read_header 1s", "read_body 10m": "read_body 2s" }),
  );
  const env = {
    RECTO_DOMAIN: `http://127.0.0.1:${port}`,
    RECTO_UPSTREAM: `127.0.0.1:${behind}`,
    CADDY_ADMIN: `127.0.0.1:${freePort()}`,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  };
  const args = ["run", "--config", conf, "--adapter", "caddyfile"];
  return await startCommand("caddy", args, { port, env, ready: listening });
}
