/**
 * Measures how long a service delays health checks.
 *
 * @module
 */
import { baseUrl } from "../processes.ts";

export interface ProbeTarget {
  readonly url: string;
  readonly pid: number;
}

/** Requests the measurements since the last request. */
export type Asked = "take";

/** Milliseconds. */
export interface Held {
  /** Longest wait for one response. */
  readonly wait: number;
  /** Most processor time of the service's main thread while one health check waited. */
  readonly cpu: number;
}

export interface Probe {
  /** Returns the measurements since the last call. */
  take(): Promise<Held>;
  close(): void;
}

/** Starts to probe the service on this port with this process ID. */
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
