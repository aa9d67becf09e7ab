/**
 * One question to a thread of its own.
 *
 * @module
 */

/**
 * What a module answers to one message in a thread that lives no longer than this; ends with the
 * signal. Rejects with `The thread that …` where the thread fails.
 */
export async function runInWorker<Question, Answer>(
  { module, purpose, signal }: {
    readonly module: string;
    /** What the thread does, behind "The thread that". */
    readonly purpose: string;
    readonly signal: AbortSignal;
  },
  question: Question,
): Promise<Answer> {
  const worker = new Worker(module, { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(`The thread that ${purpose} failed: ${event.message}`));
  };
  worker.postMessage(question);
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
    worker.terminate();
  }
}
