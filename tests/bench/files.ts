/**
 * Uploads and downloads a file of 100 MB: measures the memory they take, and compares the speed of the
 * download with nginx, which serves the same file, in turns.
 *
 * @module
 */
import { median, report } from "./measure.ts";
import {
  baseUrl,
  listening,
  mint,
  rectoArgs,
  rectoEnv,
  type RunningProcess,
  startCommand,
  startProcess,
} from "./processes.ts";
import { residentMemory } from "./resident_memory.ts";
import { freePort } from "../support/ports.ts";

const MEGABYTES = 100;
const SIZE = MEGABYTES * 1_000_000;
const MEMORY_AIM = 64;
const SPEED_AIM = 0.6;
const ROUNDS = 15;

export async function benchFiles(print: (line: string) => void): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-bench-" });
  await Deno.chmod(folder, 0o755);
  const port = freePort();
  try {
    const server = await startProcess(rectoArgs(folder), { port, env: rectoEnv(port, folder) });
    await using recto = server;
    const file = `${folder}/file.bin`;
    await Deno.writeFile(file, noise());
    const origin = baseUrl(port);
    const token = await mint(folder, "pages.write pages.read");
    // The first upload compiles the code of later ones.
    await addressOf(origin, token, { path: "deno.json" });
    const uploading = await watchMemory(recto, () => addressOf(origin, token, { path: file }));
    print(memory(`upload of ${MEGABYTES} MB`, uploading.extra));
    const url = uploading.result;
    const downloading = await watchMemory(recto, () => speedOf(url));
    print(memory(`download of ${MEGABYTES} MB`, downloading.extra));
    await compare(print, { url, file, folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function memory(name: string, value: number): string {
  const aim = `<= ${MEMORY_AIM}`;
  return report(`memory, ${name}`, { value, unit: "MB more", aim, met: value <= MEMORY_AIM });
}

interface Compared {
  readonly url: string;
  readonly file: string;
  readonly folder: string;
}

async function compare(
  print: (line: string) => void,
  { url, file, folder }: Compared,
): Promise<void> {
  await using nginx = await startNginx(folder, file);
  const other = `${baseUrl(nginx.port)}/file.bin`;
  const rates: (readonly [ours: number, nginx: number])[] = [];
  for (const warm of [url, other]) await speedOf(warm);
  for (let round = 0; round < ROUNDS; round++) {
    rates.push([await speedOf(url), await speedOf(other)]);
  }
  const ratios = rates.map(([ours, theirs]) => ours / theirs);
  const value = median(ratios);
  print(report("download", {
    value,
    unit: "of nginx",
    aim: `>= ${SPEED_AIM}`,
    met: value >= SPEED_AIM,
  }));
  const [ours, theirs] = [0, 1].map((which) => median(rates.map((rate) => rate[which] ?? NaN)));
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((one) => one.toFixed(2));
  print(
    `     ours ${megabytes(ours)} MB/s, nginx ${
      megabytes(theirs)
    } MB/s; the rounds had ${least} to ${most}`,
  );
}

function megabytes(bytes = NaN): string {
  return (bytes / 1_000_000).toFixed(0);
}

/** Incompressible bytes. */
function noise(): Uint8Array {
  const bytes = new Uint8Array(SIZE);
  for (let at = 0; at < SIZE; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, Math.min(at + 65_536, SIZE)));
  }
  return bytes;
}

/** Uploads a file, adds it to a page, and returns its download URL. */
async function addressOf(
  origin: string,
  token: string,
  { path }: { readonly path: string },
): Promise<string> {
  const call = async (route: string, body: object) => {
    const answer = await fetch(`${origin}${route}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return await answer.json();
  };
  const { id, upload_url } = await call("/v2/files/upload-url", { filename: "file.bin" });
  const sent = JSON.parse(await curl(["-sS", "-T", path, upload_url]));
  if (sent.status !== "uploaded") throw new Error(JSON.stringify(sent));
  const page = await call("/v2/pages", {
    parent: { workspace: true },
    properties: {},
    icon: { file_upload: { id } },
  });
  return page.icon.file.url;
}

/** Returns the bytes per second of one download. */
async function speedOf(url: string): Promise<number> {
  const told = await curl(["-sS", "-o", "/dev/null", "-w", "%{http_code} %{speed_download}", url]);
  const [status, speed] = told.split(" ").map(Number);
  if (status !== 200 || speed === undefined) throw new Error(`Download: ${told}`);
  return speed;
}

async function curl(args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("curl", { args: [...args] }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

interface Watched<T> {
  readonly result: T;
  /** Peak memory of the process in megabytes, beyond what it used before. */
  readonly extra: number;
}

async function watchMemory<T>(
  { pid }: RunningProcess,
  work: () => Promise<T>,
): Promise<Watched<T>> {
  const before = await residentMemory(pid);
  const working = { ends: false };
  const watching = mostMemory(pid, working);
  try {
    const result = await work();
    working.ends = true;
    return { result, extra: await watching - before };
  } finally {
    working.ends = true;
  }
}

/** Samples the peak memory of a process during some work, about a hundred times a second. */
async function mostMemory(pid: number, working: { readonly ends: boolean }): Promise<number> {
  let most = 0;
  while (!working.ends) most = Math.max(most, await residentMemory(pid));
  return Math.max(most, await residentMemory(pid));
}

async function startNginx(
  folder: string,
  file: string,
): Promise<AsyncDisposable & { readonly port: number }> {
  const port = freePort();
  const conf = `${folder}/nginx.conf`;
  await Deno.writeTextFile(
    conf,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr crit; worker_processes 1;
events {}
http {
  access_log off;
  sendfile on;
  client_body_temp_path ${folder}/body;
  server { listen 127.0.0.1:${port}; location /file.bin { alias ${file}; } }
}
`,
  );
  const server = await startCommand("nginx", ["-c", conf], { port, ready: listening });
  return { port, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
}
