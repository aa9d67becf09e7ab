/**
 * Runs one task in a Worker of its own.
 *
 * @module
 */
import { assertMayStartWorker } from "../shared/worker_start.ts";

/**
 * Starts a Worker, sends it one message, returns its reply and ends it. Rejects when the signal
 * aborts, with `The Worker that …` if the Worker fails, and with `service_unavailable` if none may start.
 */
export async function runInWorker<Request, Reply>(
  { module, purpose, signal }: {
    readonly module: string;
    /** Completes "The Worker that …" in error messages. */
    readonly purpose: string;
    readonly signal: AbortSignal;
  },
  request: Request,
  transfer: Transferable[] = [],
): Promise<Reply> {
  assertMayStartWorker(module);
  const worker = new Worker(module, { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  worker.onmessage = ({ data }: MessageEvent<Reply>) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(`The Worker that ${purpose} failed: ${event.message}`));
  };
  worker.postMessage(request, transfer);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
    worker.terminate();
  }
}
