/**
 * Compares requests per second for the compressed document with nginx, which serves the same bytes from
 * disk with the same fields, and with a bare `Deno.serve`, the upper limit on Deno. Each server has the
 * first core, the client the second; they run in turns. Our server and nginx create a request ID and
 * write a line of log to a file for each request.
 *
 * @module
 */
import { load } from "./http.ts";
import { median, report } from "./measure.ts";
import { startNginx } from "./nginx.ts";
import { processorTime } from "./processor_time.ts";
import {
  baseUrl,
  compressed,
  rectoArgs,
  rectoEnv,
  type RunningProcess,
  startCommand,
} from "./processes.ts";
import { freePort } from "../support/ports.ts";

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
  await using ours = await startOurs(folder);
  const sample = await fetchRaw(ours.port, coding);
  const file = `${folder}/document`;
  await Deno.writeFile(file, sample.bytes);
  const served = { folder, file, path: PATH, fields: sample.fields };
  await using installed = await startNginx({ ...served, setting: "installed" });
  await using tuned = await startNginx({ ...served, setting: "tuned" });
  await using bare = await startBare(file, sample);
  await using reading = await startBare(file, { ...sample, isReading: true });
  const [own, asInstalled, asTuned, least, looking] = await measureInTurns(
    [ours, installed, tuned, bare, reading],
    coding,
  );
  print(`     ${PATH} under ${coding}, ${sample.bytes.length} bytes`);
  print(compared("ours beside nginx as Debian installs it", own, asInstalled));
  print(compared("ours beside nginx tuned for it", own, asTuned));
  print(`     ours ${tell(own)}; bare Deno.serve ${tell(least)}`);
  print(`     nginx as installed ${tell(asInstalled)}; tuned ${tell(asTuned)}`);
  print(`     the bare one is ${ratio(least, asInstalled)} and ${ratio(least, asTuned)} of them`);
  print(
    `     one that reads the request's fields, ${tell(looking)}, is ` +
      `${ratio(looking, asInstalled)} and ${ratio(looking, asTuned)}`,
  );
}

interface Server extends RunningProcess {
  readonly port: number;
}

/** A server's results by round. */
interface Round {
  /** Requests per second. */
  readonly rate: number;
  /** Microseconds of processor time per request. */
  readonly cost: number;
}

type Five<T> = readonly [T, T, T, T, T];

async function measureInTurns(servers: Five<Server>, coding: string): Promise<Five<Round[]>> {
  const rounds: Five<Round[]> = [[], [], [], [], []];
  // A warm-up round: code that is not yet compiled is slower.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [n, server] of servers.entries()) {
      const measured = await measure(server, coding);
      if (round > 0) rounds[n]?.push(measured);
    }
  }
  return rounds;
}

async function measure({ pid, port }: Server, coding: string): Promise<Round> {
  const before = await processorTime(pid);
  const rate = await load(`${baseUrl(port)}${PATH}`, [`accept-encoding: ${coding}`]);
  // A round takes a second.
  return { rate, cost: (await processorTime(pid) - before) / rate };
}

function compared(name: string, ours: readonly Round[], others: readonly Round[]): string {
  const value = Number(ratio(ours, others));
  return report(name, { value, unit: "of nginx", aim: `>= ${AIM}`, met: value >= AIM });
}

/** Compares round by round, because the speed of the machine varies. */
function ratio(ours: readonly Round[], others: readonly Round[]): string {
  return median(ours.map(({ rate }, round) => rate / (others[round]?.rate ?? NaN))).toFixed(2);
}

function tell(rounds: readonly Round[]): string {
  const rate = median(rounds.map(({ rate }) => rate)).toFixed(0);
  return `${rate}/s at ${median(rounds.map(({ cost }) => cost)).toFixed(0)} µs`;
}

/** Starts the real service, with its log in a file like nginx. */
async function startOurs(folder: string): Promise<Server> {
  const port = freePort();
  const args = ["-c", "0", Deno.execPath(), ...rectoArgs(folder)];
  const server = await startCommand(
    "sh",
    ["-c", 'exec taskset "$@" > "$0"', `${folder}/ours.log`, ...args],
    { port, env: rectoEnv(port, folder), ready: compressed },
  );
  return { port, ...server };
}

/** Sends the bytes of a file with the fields of a sample. */
async function startBare(file: string, { fields, isReading = false }: Bare): Promise<Server> {
  const port = freePort();
  const headers = [["content-type", "application/json"], ...fields];
  const answer = JSON.stringify({ file, headers, isReading });
  const args = ["run", "--no-prompt", "--allow-net=127.0.0.1", `--allow-read=${file}`];
  const server = await startCommand("taskset", [
    ...["-c", "0", Deno.execPath(), ...args, "tests/bench/bare.ts", `${port}`, answer],
  ], { port });
  return { port, ...server };
}

interface Bare extends Pick<Sample, "fields"> {
  /** True if it reads the header fields of each request, as any real service must. */
  readonly isReading?: boolean;
}

interface Sample {
  readonly bytes: Uint8Array;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** Returns the raw response: `fetch` would decode it. */
async function fetchRaw(port: number, coding: string): Promise<Sample> {
  const { stdout } = await new Deno.Command("curl", {
    args: ["-sD-", "-o-", "-H", `accept-encoding: ${coding}`, `${baseUrl(port)}${PATH}`],
  }).output();
  const text = new TextDecoder("latin1").decode(stdout);
  const end = text.indexOf("\r\n\r\n");
  const fields = text.slice(0, end).split("\r\n").slice(1)
    .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)] as const);
  return {
    bytes: stdout.slice(end + 4),
    fields: fields.filter(([name]) => !TRANSPORT.has(name.toLowerCase())),
  };
}
