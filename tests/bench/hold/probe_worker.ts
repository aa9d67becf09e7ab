/**
 * Sends health checks to a service, in a thread of its own so that the benchmark does not delay
 * them.
 *
 * @module
 */
import type { Asked, Held, ProbeTarget } from "./probe.ts";

/** Milliseconds between two health checks. */
const INTERVAL = 5;

// Sound because a worker has this scope; the library types describe a page's.
const scope = self as unknown as {
  onmessage: (event: MessageEvent<ProbeTarget | Asked>) => void;
  postMessage(held: Held): void;
};

let held: Held = { wait: 0, cpu: 0 };
let isAsked = false;

scope.onmessage = ({ data }) => {
  if (data === "take") isAsked = true;
  else void ask(data);
};

async function ask({ url, pid }: ProbeTarget): Promise<never> {
  const cpuTime = openCpuTime(pid);
  for (;;) {
    const [before, start] = [await cpuTime(), performance.now()];
    await (await fetch(url)).arrayBuffer();
    const wait = performance.now() - start;
    // On a crowded machine time passes until the clock is read, in which the service works on.
    const cpu = Math.min(wait, await cpuTime() - before);
    held = { wait: Math.max(held.wait, wait), cpu: Math.max(held.cpu, cpu) };
    if (isAsked) tell();
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
  }
}

/** Replies only when no health check is pending: the slowest one would be missing. */
function tell(): void {
  scope.postMessage(held);
  held = { wait: 0, cpu: 0 };
  isAsked = false;
}

/**
 * Milliseconds that the main thread of a process was busy, read by a shell that starts nothing:
 * Deno may not look there, and a process for each look would disturb what is measured.
 */
function openCpuTime(pid: number): () => Promise<number> {
  const script = 'while read -r _; do read -r busy _ < "$1"; echo "$busy"; done';
  const { stdin, stdout } = new Deno.Command("sh", {
    args: ["-c", script, "sh", `/proc/${pid}/task/${pid}/schedstat`],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const [writer, reader] = [stdin.getWriter(), stdout.getReader()];
  const line = new Uint8Array([10]);
  return async () => {
    await writer.write(line);
    const { value } = await reader.read();
    return Number(new TextDecoder().decode(value)) / 1e6;
  };
}
