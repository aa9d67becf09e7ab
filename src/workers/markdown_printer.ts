/**
 * Prints large pages as Markdown in Workers, so that it does not block requests.
 *
 * @module
 */
import type {
  PortionData,
  PortionNodes,
  PrintedPortion,
} from "../content/markdown/print_portion.ts";
import { assertMayStartWorker } from "../shared/worker_start.ts";
import { createRest } from "../shared/yield_to_event_loop.ts";
import { createFairQueue, type QueueUser } from "../shared/fair_queue.ts";
import type { PrinterReply, PrinterRequest } from "./markdown_printer_worker.ts";

export interface MarkdownPrinter {
  /**
   * Returns the Markdown of a portion, which is loaded when it is its turn. Workspaces take turns, and
   * so do the users of each; the portions of one user are printed in the order they arrive. Rejects
   * with `service_unavailable` if too many portions of this user are waiting.
   */
  print(load: () => PortionData | Promise<PortionData>, user: QueueUser): Promise<PrintedPortion>;
  /** Ends the Workers; pending portions are rejected. */
  close(): void;
}

/** Number of Workers. One user has one portion printed at a time, so that the other is for others. */
const WORKERS = 2;
/** Portions of one user that may wait; a page that is being read has one. */
const MAX_WAITING = 100;
/** Milliseconds that a portion may wait; shorter than the time limit of its request. */
const MAX_WAIT = 23_000;
/**
 * Maximum nodes and approximate UTF-16 code units of one message: serializing a larger one would
 * block the main thread.
 */
const PIECE = { nodes: 500, length: 250_000 };

/** Creates a printer; its Workers start with portions. */
export function createMarkdownPrinter(): MarkdownPrinter {
  const queue = createFairQueue({
    concurrency: WORKERS,
    perWorkspace: WORKERS,
    maxWaiting: MAX_WAITING,
    maxWait: MAX_WAIT,
    busyMessage: "Too many pages are being printed as Markdown: try again",
  });
  const busy = new Set<StartedWorker>();
  const idle: StartedWorker[] = [];
  let isClosed = false;

  async function work(load: () => PortionData | Promise<PortionData>): Promise<PrintedPortion> {
    const portion = await load();
    if (isClosed) throw new Error(`${PRINTER} was ended`);
    const worker = idle.pop() ?? startWorker();
    busy.add(worker);
    try {
      return await printWith(worker, portion);
    } finally {
      busy.delete(worker);
      if (worker.isAlive) idle.push(worker);
    }
  }

  return {
    print: (load, user) => queue.run(user, () => work(load)),
    close: () => {
      isClosed = true;
      for (const worker of [...busy, ...idle]) worker.end("was ended");
    },
  };
}

const PRINTER = "The Worker that prints Markdown";

interface StartedWorker {
  readonly isAlive: boolean;
  send(request: PrinterRequest): void;
  /** Sends a request that has a reply. */
  ask(request: PrinterRequest): Promise<PrinterReply>;
  end(reason: string): void;
}

function startWorker(): StartedWorker {
  const module = import.meta.resolve("./markdown_printer_worker.ts");
  assertMayStartWorker(module);
  const worker = new Worker(module, { type: "module" });
  let error: Error | undefined;
  let reply: PromiseWithResolvers<PrinterReply> | undefined;

  function end(reason: string): void {
    error = new Error(`${PRINTER} ${reason}`);
    worker.terminate();
    reply?.reject(error);
  }

  worker.onmessage = ({ data }: MessageEvent<PrinterReply>) => reply?.resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    end(`failed: ${event.message}`);
  };
  return {
    get isAlive() {
      return error === undefined;
    },
    send: (request) => worker.postMessage(request),
    ask: (request) => {
      if (error !== undefined) return Promise.reject(error);
      reply = Promise.withResolvers();
      worker.postMessage(request);
      return reply.promise;
    },
    end,
  };
}

/**
 * Each piece of the result is requested, because the main thread would receive all that wait in one
 * turn of its event loop.
 */
async function printWith(worker: StartedWorker, portion: PortionData): Promise<PrintedPortion> {
  const { start, publicUrl, pageUrl, variant } = portion;
  const rest = createRest();
  for (const nodes of piecesOf(portion)) {
    worker.send({ nodes });
    await rest();
  }
  const texts: string[] = [];
  const unknownIds: string[] = [];
  let reply = await worker.ask({ context: { start, publicUrl, pageUrl, variant } });
  while (reply.done !== true) {
    texts.push(...reply.value.texts);
    unknownIds.push(...reply.value.unknownIds);
    reply = await worker.ask("next");
  }
  return { texts, unknownIds };
}

function* piecesOf({ ids, types, parents, titles, docs }: PortionNodes): Generator<PortionNodes> {
  for (let start = 0, end = 0; start < docs.length; start = end) {
    for (let length = 0; end < docs.length && end - start < PIECE.nodes; end++) {
      length += docs[end]?.length ?? 0;
      if (length > PIECE.length && end > start) break;
    }
    yield {
      ids: ids.slice(start, end),
      types: types.slice(start, end),
      parents: parents.slice(start, end),
      titles: titles.slice(start, end),
      docs: docs.slice(start, end),
    };
  }
}
