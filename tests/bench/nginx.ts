/**
 * nginx with one file to serve, on the first core.
 *
 * @module
 */
import { freePort, listening, type RunningProcess, startCommand } from "./processes.ts";

/** As Debian installs it, or with all that makes it faster. */
export type Setting = "installed" | "tuned";

const SETTINGS: Readonly<Record<Setting, (log: string) => string>> = {
  installed: (log) => `access_log ${log};`,
  // It holds the file open, writes its log rarely, and keeps each connection for ever.
  tuned: (log) =>
    `access_log ${log} combined buffer=64k flush=20ms; open_file_cache max=10;
  server_tokens off; keepalive_requests 1000000;`,
};

export interface NginxOptions {
  /** Where its settings and its log are. */
  readonly folder: string;
  readonly setting: Setting;
  readonly path: string;
  /** What it answers with there. */
  readonly file: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

export interface Nginx extends RunningProcess {
  readonly port: number;
}

/** One worker; the fields are added to each answer, with an id of the request among them. */
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
