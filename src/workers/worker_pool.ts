/**
 * A pool of Workers of one module: they start on demand and end when idle.
 *
 * @module
 */
import { Worker } from "node:worker_threads";
import { assertMayStartWorker, mayStartWorker } from "../shared/worker_start.ts";

export interface PooledWorker {
  /** Sends a request, and passes each message to `take` until that returns "last". */
  request<Request, Message>(
    request: Request,
    take: (message: Message) => "last" | "more",
  ): Promise<void>;
}

/** Thrown if a Worker ended before it completed its request. */
export class WorkerError extends Error {
  /** The limit that the work exceeded; undefined if the Worker ended for another reason. */
  readonly exhausted: "memory" | "time" | undefined;

  constructor(message: string, exhausted?: "memory" | "time") {
    super(message);
    this.exhausted = exhausted;
  }
}

export interface WorkerPoolOptions {
  /** Module that sends one message when it is ready, and then handles requests. */
  readonly module: string;
  /** Completes "The Worker that …" in error messages. */
  readonly purpose: string;
  /** Heap limit of a Worker in megabytes; a Worker that exceeds it fails alone. */
  readonly memory: number;
  /** Nice value that lowers the priority of the threads below that of the process; 0 leaves it. */
  readonly nice: number;
  /** How many Workers are kept while there is work: further ones start when work needs them. */
  readonly kept: number;
}

/** The `workerData` of each Worker. */
export type ThreadData = Pick<WorkerPoolOptions, "nice">;

export interface WorkerPool {
  /** Runs work with an exclusive Worker; one that fails or has worked for long is replaced. */
  use<T>(work: (worker: PooledWorker) => Promise<T>): Promise<T>;
  /** Ends all Workers; pending work is rejected. */
  close(): void;
  /** Number of Workers. */
  readonly counts: () => { readonly busy: number; readonly idle: number };
}

/** Milliseconds without work after which Workers are ended. */
const IDLE_TIME = 1_000;
/**
 * Milliseconds until a Worker is started in advance: not in the turn in which one starts or is given
 * work, because the main thread waits some 30 ms until it exists.
 */
const START_DELAY = 100;
/** Milliseconds of work after which a Worker is replaced, because its heap has grown. */
const MAX_WORK = 10_000;
/** Milliseconds of work after which an idle Worker is replaced, as its heap does not shrink. */
const MAX_IDLE_WORK = 100;
/** Megabytes of the young generation of the heap. */
const YOUNG_GENERATION = 32;

/** Creates a pool; its first Worker starts with the first work, the others that are kept soon after. */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const working = new Set<StartedWorker>();
  let idle: StartedWorker[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let start: ReturnType<typeof setTimeout> | undefined;

  /** Ends all idle Workers but one that has worked little. */
  function endIdle(): void {
    const little = idle.find(({ worked }) => worked < MAX_IDLE_WORK);
    for (const worker of idle) if (worker !== little) worker.end();
    idle = little === undefined ? [] : [little];
    keep(1);
  }

  /** Starts a Worker if there are fewer than `least`. */
  function keep(least = options.kept): void {
    start = undefined;
    if (working.size + idle.length >= least) return;
    if (mayStartWorker(options.module)) idle.unshift(startWorker(options));
  }

  async function work<T>(
    worker: StartedWorker,
    work: (worker: PooledWorker) => Promise<T>,
  ): Promise<T> {
    working.add(worker);
    const startedAt = performance.now();
    try {
      await worker.ready;
      start ??= setTimeout(keep, START_DELAY);
      return await work(worker);
    } finally {
      worker.worked += performance.now() - startedAt;
      // If it is no longer in the set, the pool was closed.
      const isOpen = working.delete(worker);
      if (isOpen && worker.isAlive && worker.worked < MAX_WORK) idle.push(worker);
      else worker.end();
      if (isOpen) start ??= setTimeout(keep, START_DELAY);
    }
  }

  return {
    use: async (task) => {
      clearTimeout(timer);
      try {
        return await work(idle.pop() ?? startWorker(options), task);
      } finally {
        clearTimeout(timer);
        if (working.size === 0) timer = setTimeout(endIdle, IDLE_TIME);
      }
    },
    close: () => {
      clearTimeout(timer);
      clearTimeout(start);
      const all = [...idle, ...working];
      idle = [];
      working.clear();
      for (const worker of all) worker.end();
    },
    counts: () => ({ busy: working.size, idle: idle.length }),
  };
}

interface StartedWorker extends PooledWorker {
  readonly ready: Promise<void>;
  readonly isAlive: boolean;
  /** Milliseconds of work so far. */
  worked: number;
  end(): void;
}

function startWorker({ module, purpose, memory, nice }: WorkerPoolOptions): StartedWorker {
  assertMayStartWorker(module);
  const worker = new Worker(new URL(module), {
    workerData: { nice } satisfies ThreadData,
    resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG_GENERATION },
  });
  let isAlive = true;
  let fail: ((error: Error) => void) | undefined;

  function listen<Message>(take: (message: Message) => "last" | "more"): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (!isAlive) reject(new WorkerError(`The Worker that ${purpose} was ended`));
    fail = reject;
    worker.removeAllListeners("message");
    worker.on("message", (message: Message) => {
      if (take(message) === "last") resolve();
    });
    return promise;
  }

  function end(reason = "was ended", exhausted?: WorkerError["exhausted"]): void {
    isAlive = false;
    void worker.terminate();
    fail?.(new WorkerError(`The Worker that ${purpose} ${reason}`, exhausted));
  }

  worker.on("error", (error) => end(`failed: ${error.message}`, exhaustedBy(error)));
  const ready = listen(() => "last");
  // `use` awaits it and reports the error.
  ready.catch(() => {});
  return {
    ready,
    worked: 0,
    get isAlive() {
      return isAlive;
    },
    request: (request, take) => {
      const done = listen(take);
      if (isAlive) worker.postMessage(request);
      return done;
    },
    end,
  };
}

function exhaustedBy(error: Error): WorkerError["exhausted"] {
  if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") return "memory";
  // A time limit in the last moment; see `withinTime`.
  return error.message.endsWith("execution terminated") ? "time" : undefined;
}
