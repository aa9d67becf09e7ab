/**
 * nginx and Caddy as Debian installs them, before a server on this machine. Each gives every request that
 * it hands on an id of its own, in place of the client's.
 *
 * @module
 */
import { listening, type RunningProcess, startCommand } from "../bench/processes.ts";
import { freePort } from "../support/ports.ts";

export interface Proxy extends RunningProcess {
  readonly port: number;
}

export interface ProxyOptions {
  /** The folder of its settings and of the files that it writes. */
  readonly folder: string;
  /** The port of the server behind it, which is named so in `Host`. */
  readonly behind: number;
}

export const PROXIES: Readonly<Record<string, (options: ProxyOptions) => Promise<Proxy>>> = {
  nginx: startNginx,
  Caddy: startCaddy,
};

async function startNginx({ folder, behind }: ProxyOptions): Promise<Proxy> {
  const port = freePort();
  const conf = `${folder}/nginx.conf`;
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
  // Connections to the server are kept, so that bytes left on one would meet the next request.
  await Deno.writeTextFile(
    conf,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 64; }
http {
  access_log off; ${paths}
  upstream recto { server 127.0.0.1:${behind}; keepalive 4; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://recto; proxy_http_version 1.1; proxy_request_buffering off;
      proxy_set_header Connection ""; proxy_set_header Host 127.0.0.1:${behind};
      proxy_set_header X-Request-Id $request_id;
    }
  }
}
`,
  );
  const options = { port, ready: listening };
  return { port, ...await startCommand("nginx", ["-p", folder, "-c", conf], options) };
}

async function startCaddy({ folder, behind }: ProxyOptions): Promise<Proxy> {
  const port = freePort();
  const conf = `${folder}/Caddyfile`;
  await Deno.writeTextFile(
    conf,
    `{
  admin off
  auto_https off
}
http://:${port} {
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:${behind} {
    header_up Host 127.0.0.1:${behind}
    header_up X-Request-Id {http.request.uuid}
  }
}
`,
  );
  const args = ["run", "--config", conf, "--adapter", "caddyfile"];
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return { port, ...await startCommand("caddy", args, { port, env, ready: listening }) };
}
