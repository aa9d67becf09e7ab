/**
 * Requests a second of the compressed document beside nginx, which serves the same bytes from disk
 * with the same fields, and beside a bare `Deno.serve`, which is as fast as anything on Deno can be.
 * Each server has the first core, the client the second; they run in turns. Ours and nginx make a
 * request id and write a line of log for each request, to the same place.
 *
 * @module
 */
import { load, median } from "./http.ts";
import { report } from "./measure.ts";
import { baseUrl, freePort, listening, rectoArgs, rectoEnv, startCommand } from "./processes.ts";

const ROUNDS = 11;
const PATH = "/v2/openapi.json";
const AIM = 0.8;
/** Set by the transport on both sides. */
const TRANSPORT = new Set(["date", "content-length", "content-type", "etag"]);

export async function benchOpenapi(print: (line: string) => void): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-bench-" });
  await Deno.chmod(folder, 0o755);
  try {
    for (const coding of ["br", "gzip"]) await compare(print, { folder, coding });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

interface Comparison {
  readonly folder: string;
  readonly coding: string;
}

async function compare(
  print: (line: string) => void,
  { folder, coding }: Comparison,
): Promise<void> {
  const port = freePort();
  const args = ["-c", "0", Deno.execPath(), ...rectoArgs(folder)];
  await using _recto = await startCommand("taskset", args, { port, env: rectoEnv(port, folder) });
  const sample = await fetchRaw(port, coding);
  await using nginx = await startNginx({ folder, ...sample });
  await using bare = await startBare(`${folder}/document`, sample);
  const rates = { ours: [] as number[], nginx: [] as number[], bare: [] as number[] };
  const measure = (port: number) => load(`${baseUrl(port)}${PATH}`, [`accept-encoding: ${coding}`]);
  for (const server of [port, bare.port]) await measure(server);
  for (let round = 0; round < ROUNDS; round++) {
    rates.ours.push(await measure(port));
    rates.nginx.push(await measure(nginx.port));
    rates.bare.push(await measure(bare.port));
  }
  const value = ratio(rates.ours, rates.nginx);
  print(report(`GET ${PATH} under ${coding}`, {
    value,
    unit: "of nginx",
    aim: `>= ${AIM}`,
    met: value >= AIM,
  }));
  const [ours, other, least] = [rates.ours, rates.nginx, rates.bare].map((one) =>
    median(one).toFixed(0)
  );
  print(
    `     ${sample.bytes.length} bytes: ours ${ours}/s, nginx ${other}/s, bare Deno.serve ${least}/s` +
      ` (${ratio(rates.bare, rates.nginx).toFixed(2)} of nginx)`,
  );
}

/** Of each round by itself, as the machine is not equally fast in all of them. */
function ratio(ours: readonly number[], others: readonly number[]): number {
  return median(ours.map((rate, round) => rate / (others[round] ?? NaN)));
}

/** Sends the bytes of a file with the fields of a sample, and looks at nothing. */
async function startBare(
  file: string,
  { fields }: Sample,
): Promise<AsyncDisposable & { readonly port: number }> {
  const port = freePort();
  const headers = [["content-type", "application/json"], ...fields];
  const server = await startCommand("taskset", [
    ...["-c", "0", Deno.execPath(), "run", "--no-prompt", "--allow-net=127.0.0.1"],
    ...[
      `--allow-read=${file}`,
      "tests/bench/bare.ts",
      `${port}`,
      JSON.stringify({ file, headers }),
    ],
  ], { port });
  return { port, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
}

interface Sample {
  readonly bytes: Uint8Array;
  readonly fields: readonly (readonly string[])[];
}

/** The answer as it is sent: `fetch` would decode it. */
async function fetchRaw(port: number, coding: string): Promise<Sample> {
  const { stdout } = await new Deno.Command("curl", {
    args: ["-sD-", "-o-", "-H", `accept-encoding: ${coding}`, `${baseUrl(port)}${PATH}`],
  }).output();
  const text = new TextDecoder("latin1").decode(stdout);
  const end = text.indexOf("\r\n\r\n");
  const fields = text.slice(0, end).split("\r\n").slice(1)
    .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]);
  return {
    bytes: stdout.slice(end + 4),
    fields: fields.filter(([name = ""]) => !TRANSPORT.has(name.toLowerCase())),
  };
}

/** One worker, as nginx serves a file best: held open, from the page cache, with `sendfile`. */
async function startNginx(
  { folder, bytes, fields }: Sample & { readonly folder: string },
): Promise<AsyncDisposable & { readonly port: number }> {
  const port = freePort();
  await Deno.writeFile(`${folder}/document`, bytes);
  const added = fields.map(([name, value]) =>
    `add_header ${name} ${name === "x-request-id" ? "$request_id" : JSON.stringify(value)};`
  );
  await Deno.writeTextFile(
    `${folder}/nginx.conf`,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log /dev/null combined buffer=64k flush=20ms; server_tokens off;
  sendfile on; tcp_nopush on; keepalive_requests 1000000; open_file_cache max=10;
  server {
    listen 127.0.0.1:${port};
    location = ${PATH} { default_type application/json; alias ${folder}/document; ${
      added.join(" ")
    } }
  }
}
`,
  );
  const args = ["-c", "0", "nginx", "-p", folder, "-c", `${folder}/nginx.conf`];
  const server = await startCommand("taskset", args, { port, ready: listening });
  return { port, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
}
