/**
 * Threads of one module: started when they are needed, kept while they are, ended when they rest.
 *
 * @module
 */
import { Worker } from "node:worker_threads";

export interface PooledWorker {
  /** Asks, and hands on what comes until `take` answers that it was the last. */
  ask<Question, Message>(
    question: Question,
    take: (message: Message) => "last" | "more",
  ): Promise<void>;
}

/** A thread that is no more, and with it what it was asked. */
export class WorkerError extends Error {
  /** What ended it: its own work, by what that took; undefined where it was anything else. */
  readonly spent: "memory" | "time" | undefined;

  constructor(message: string, spent?: "memory" | "time") {
    super(message);
    this.spent = spent;
  }
}

export interface WorkerPoolOptions {
  /** Says something once when it is ready, and then answers questions. */
  readonly module: string;
  /** What the threads do, behind "The thread that". */
  readonly purpose: string;
  /** Megabytes of a thread's heap: beyond them it fails, and nothing else does. */
  readonly memory: number;
}

export interface WorkerPool {
  /** Does work with a thread of its own; one that fails or has worked long is ended and replaced. */
  use<T>(work: (thread: PooledWorker) => Promise<T>): Promise<T>;
  /** Ends all threads; work with them is rejected. */
  close(): void;
}

/** Milliseconds without work after which threads are ended. */
const REST = 3_000;
/** Milliseconds of work after which a thread holds so much that a new one is better. */
const WORN = 1_000;
/** Megabytes of the part of a heap in which everything begins. */
const YOUNG = 32;

/**
 * A pool whose first thread starts with the first work. While some work, one more is ready, so there
 * is one thread more than work is asked for at a time.
 */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const working = new Set<StartedWorker>();
  let idle: StartedWorker[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Leaves one thread that is ready for the next work. */
  function rest(): void {
    for (const thread of idle.splice(1)) thread.end();
  }

  /** Nobody whose turn comes waits for a thread to start. */
  function spare(): void {
    if (idle.length === 0) idle.push(startWorker(options));
  }

  async function work<T>(
    thread: StartedWorker,
    work: (thread: PooledWorker) => Promise<T>,
  ): Promise<T> {
    working.add(thread);
    spare();
    const began = performance.now();
    try {
      await thread.ready;
      return await work(thread);
    } finally {
      thread.worked += performance.now() - began;
      // Where it is no more among them, the pool is closed.
      const isOpen = working.delete(thread);
      if (isOpen && thread.isAlive && thread.worked < WORN) idle.push(thread);
      else thread.end();
      if (isOpen) spare();
    }
  }

  return {
    use: async (task) => {
      clearTimeout(timer);
      try {
        return await work(idle.shift() ?? startWorker(options), task);
      } finally {
        clearTimeout(timer);
        if (working.size === 0 && idle.length > 1) timer = setTimeout(rest, REST);
      }
    },
    close: () => {
      clearTimeout(timer);
      const all = [...idle, ...working];
      idle = [];
      working.clear();
      for (const thread of all) thread.end();
    },
  };
}

interface StartedWorker extends PooledWorker {
  readonly ready: Promise<void>;
  readonly isAlive: boolean;
  /** Milliseconds that it has worked. */
  worked: number;
  end(): void;
}

function startWorker({ module, purpose, memory }: WorkerPoolOptions): StartedWorker {
  const worker = new Worker(new URL(module), {
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG },
  });
  let isAlive = true;
  let fail: ((error: Error) => void) | undefined;

  function listen<Message>(take: (message: Message) => "last" | "more"): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (!isAlive) reject(new WorkerError(`The thread that ${purpose} was ended`));
    fail = reject;
    worker.removeAllListeners("message");
    worker.on("message", (message: Message) => {
      if (take(message) === "last") resolve();
    });
    return promise;
  }

  function end(reason = "was ended", spent?: WorkerError["spent"]): void {
    isAlive = false;
    void worker.terminate();
    fail?.(new WorkerError(`The thread that ${purpose} ${reason}`, spent));
  }

  worker.on("error", (error) => end(`failed: ${error.message}`, spentIn(error)));
  const ready = listen(() => "last");
  // Whoever works with it meets the fault.
  ready.catch(() => {});
  return {
    ready,
    worked: 0,
    get isAlive() {
      return isAlive;
    },
    ask: (question, take) => {
      const answered = listen(take);
      if (isAlive) worker.postMessage(question);
      return answered;
    },
    end,
  };
}

function spentIn(error: Error): WorkerError["spent"] {
  if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") return "memory";
  // A time limit that came in the last moment; see `withinTime`.
  return error.message.endsWith("execution terminated") ? "time" : undefined;
}
