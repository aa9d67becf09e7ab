/**
 * The thread of long writes. Its first message is the path; each one behind it is a write or a part of
 * one, `"open"`, `"merge"`, `"copy log"`, `"cut log"` or `"close"`, and has one answer.
 *
 * @module
 */
import { copyLog, cutLog, leaveLog, openConnection, startServing } from "./connection.ts";
import { fromSent, type SentCommit, type SentRequest } from "./sent_request.ts";
import { createSegmentMerges } from "./search/segments.ts";
import { createSlicedCommits, type SlicedCommits, type SliceOptions } from "./sliced_commits.ts";
import { type DoWrite, outcomeOf, type WriteOutcome } from "./write_outcome.ts";
import { createWriting } from "./writing.ts";

/** The file, and what replaces the defaults. */
export interface WriterStart {
  readonly path: string;
  readonly slices?: SliceOptions | undefined;
}

/** The messages of the writer to its thread. */
export type WriterMessage =
  | WriterStart
  | { readonly request: SentRequest }
  /** See `SlicedCommits`. */
  | { readonly attempt: SentCommit }
  | { readonly begin: SentCommit }
  | { readonly goOn: string; readonly isAlone: boolean }
  | "open"
  | "merge"
  | "copy log"
  | "cut log"
  | "close";

type WriteMessage = Exclude<WriterMessage, string | WriterStart>;

/** The global scope of a Worker, which the compiler does not know here. */
interface Thread extends EventTarget {
  postMessage(message: WriteOutcome): void;
}

/** Milliseconds without a write after which the cache is given back. */
const IDLE = 2_000;

interface Opened {
  readonly write: DoWrite;
  readonly slices: SlicedCommits;
  readonly merge: () => boolean;
  readonly copyLog: () => number;
  readonly cutLog: () => boolean;
  readonly shrink: () => void;
  readonly close: () => void;
}

const thread = self as unknown as Thread;
let start: WriterStart = { path: "" };
let opened: Opened | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;

thread.addEventListener("message", (event) => {
  // Sound because the writer alone writes to this thread.
  const { data } = event as MessageEvent<WriterMessage>;
  clearTimeout(idle);
  if (data === "close") thread.postMessage(close());
  else if (data === "open") thread.postMessage(use(() => {}));
  else if (data === "merge") thread.postMessage(use(({ merge }) => merge()));
  else if (data === "copy log") thread.postMessage(use(({ copyLog }) => copyLog()));
  else if (data === "cut log") thread.postMessage(use(({ cutLog }) => cutLog()));
  else if ("path" in data) start = data;
  else thread.postMessage(use((file) => write(file, data)));
  idle = setTimeout(() => opened?.shrink(), IDLE);
});

function write({ write, slices }: Opened, message: WriteMessage): unknown {
  if ("goOn" in message) return slices.goOn(message.goOn, message.isAlone);
  if ("attempt" in message) return slices.attempt(...fromSent(message.attempt).args);
  if ("begin" in message) return slices.begin(...fromSent(message.begin).args);
  return write(fromSent(message.request));
}

/** A file that cannot be opened fails this work, and is opened again for the next one. */
function use(work: (file: Opened) => unknown): WriteOutcome {
  return outcomeOf(() => work(opened ??= open()));
}

function open(): Opened {
  const { path, slices } = start;
  const connection = openConnection(path);
  startServing(connection);
  leaveLog(connection);
  return {
    write: createWriting(connection),
    slices: createSlicedCommits(connection, slices),
    merge: createSegmentMerges(connection).merge,
    copyLog: () => copyLog(connection),
    cutLog: () => cutLog(connection, path),
    shrink: () => connection.db.exec("PRAGMA shrink_memory"),
    close: connection.close,
  };
}

function close(): WriteOutcome {
  return outcomeOf(() => {
    opened?.close();
    opened = undefined;
  });
}
