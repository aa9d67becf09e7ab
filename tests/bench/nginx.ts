/**
 * Runs nginx: with one file on the first core, or before several servers.
 *
 * @module
 */
import { listening, type RunningProcess, startCommand } from "./processes.ts";
import { freePort } from "../support/ports.ts";

/** Debian's settings, or all settings that make it faster. */
export type Setting = "installed" | "tuned";

const SETTINGS: Readonly<Record<Setting, (log: string) => string>> = {
  installed: (log) => `access_log ${log};`,
  // Keeps the file open, buffers the log, and never closes connections.
  tuned: (log) =>
    `access_log ${log} combined buffer=64k flush=20ms; open_file_cache max=10;
  server_tokens off; keepalive_requests 1000000;`,
};

export interface NginxOptions {
  /** Folder for its settings and log. */
  readonly folder: string;
  readonly setting: Setting;
  readonly path: string;
  /** Content of the file. */
  readonly file: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

export interface Nginx extends RunningProcess {
  readonly port: number;
}

/** One worker; adds these fields and a request ID to each response. */
export async function startNginx(options: NginxOptions): Promise<Nginx> {
  const { folder, setting, path, file, fields } = options;
  const port = freePort();
  const added = fields.map(([name, value]) =>
    `add_header ${name} ${name === "x-request-id" ? "$request_id" : JSON.stringify(value)};`
  );
  const conf = `${folder}/${setting}.conf`;
  await Deno.writeTextFile(
    conf,
    `daemon off; worker_processes 1; pid ${folder}/${setting}.pid; error_log stderr crit;
events { worker_connections 768; }
http {
  sendfile on; tcp_nopush on; gzip on;
  ${SETTINGS[setting](`${folder}/${setting}.log`)}
  server {
    listen 127.0.0.1:${port};
    location = ${path} { default_type application/json; alias ${file}; ${added.join(" ")} }
  }
}
`,
  );
  const args = ["-c", "0", "nginx", "-p", folder, "-c", conf];
  return { port, ...await startCommand("taskset", args, { port, ready: listening }) };
}

/** Spreads requests over servers on these ports, as the documentation says. */
export async function startBalancer(folder: string, ports: readonly number[]): Promise<Nginx> {
  const port = freePort();
  const conf = `${folder}/balancer.conf`;
  await Deno.writeTextFile(
    conf,
    `daemon off; worker_processes 1; pid ${folder}/balancer.pid; error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  upstream recto { ${ports.map((one) => `server 127.0.0.1:${one};`).join(" ")} keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000;
    location / {
      proxy_pass http://recto; proxy_http_version 1.1;
      proxy_set_header Connection ""; proxy_set_header Host $host;
    }
  }
}
`,
  );
  const options = { port, ready: listening };
  return { port, ...await startCommand("nginx", ["-p", folder, "-c", conf], options) };
}
