/**
 * How long a service kept those waiting who only ask whether it is there.
 *
 * @module
 */
import { baseUrl } from "../processes.ts";

export interface ProbeTarget {
  readonly url: string;
  readonly pid: number;
}

/** Asks for what was held since the last time. */
export type Asked = "take";

/** Milliseconds. */
export interface Held {
  /** The longest wait of one question. */
  readonly wait: number;
  /** How long at most the service's main thread worked while one question waited. */
  readonly cpu: number;
}

export interface Probe {
  /** What was held since the last time. */
  take(): Promise<Held>;
  close(): void;
}

/** Starts to ask the service on this port, which has this process id. */
export function startProbe({ port, pid }: { readonly port: number; readonly pid: number }): Probe {
  const worker = new Worker(new URL("./probe_worker.ts", import.meta.url), { type: "module" });
  worker.postMessage({ url: `${baseUrl(port)}/healthz`, pid } satisfies ProbeTarget);
  return {
    take: () =>
      new Promise((resolve) => {
        worker.onmessage = ({ data }: MessageEvent<Held>) => resolve(data);
        worker.postMessage("take" satisfies Asked);
      }),
    close: () => worker.terminate(),
  };
}
