/**
 * nginx and Caddy as docs/gateway.md sets them up: before a service, with the gateway to ask.
 *
 * @module
 */
import { listening, startCommand } from "../bench/processes.ts";
import { freePort } from "../support/ports.ts";
import type { Proxy } from "./proxies.ts";

export interface ForwardOptions {
  readonly folder: string;
  /** Ports on this machine. */
  readonly gateway: number;
  readonly service: number;
}

export const FORWARD_PROXIES: Readonly<
  Record<string, (options: ForwardOptions) => Promise<Proxy>>
> = { nginx: startNginx, Caddy: startCaddy };

/** Returns the sample of a proxy in the guide, for these ports. */
async function sampleOf(language: string, { gateway, service }: ForwardOptions): Promise<string> {
  const guide = await Deno.readTextFile("docs/gateway.md");
  const sample = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(guide)?.[1];
  if (sample === undefined) throw new Error(`docs/gateway.md has no sample for ${language}`);
  return sample.replaceAll("127.0.0.1:8001", `127.0.0.1:${gateway}`)
    .replaceAll("127.0.0.1:9000", `127.0.0.1:${service}`);
}

async function startNginx(options: ForwardOptions): Promise<Proxy> {
  const { folder } = options;
  const port = freePort();
  const conf = `${folder}/forward.conf`;
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
  const sample = (await sampleOf("nginx", options)).replace(
    "listen 80;",
    `listen 127.0.0.1:${port};`,
  );
  await Deno.writeTextFile(
    conf,
    `daemon off; worker_processes 1; pid ${folder}/forward.pid; error_log ${folder}/forward.log;
events { worker_connections 64; }
http {
  access_log off; ${paths}
${sample}
}
`,
  );
  const args = ["-p", folder, "-c", conf];
  return { port, ...await startCommand("nginx", args, { port, ready: listening }) };
}

async function startCaddy(options: ForwardOptions): Promise<Proxy> {
  const { folder } = options;
  const port = freePort();
  const conf = `${folder}/Caddyfile.forward`;
  const sample = (await sampleOf("caddyfile", options)).replace("shop.example", `http://:${port}`);
  await Deno.writeTextFile(conf, `{\n  admin off\n  auto_https off\n}\n${sample}`);
  const args = ["run", "--config", conf, "--adapter", "caddyfile"];
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return { port, ...await startCommand("caddy", args, { port, env, ready: listening }) };
}
