/**
 * The thread that writes: the one connection to a file that does. Its first message is the path; each
 * one behind it is a group of writes, `"checkpoint"` or `"close"`, and has one answer.
 *
 * @module
 */
import type { WriteRequest } from "../writing.ts";
import { openConnection, startServing } from "./connection.ts";
import { writeGroup, type WriteOutcome } from "./groups.ts";
import { toErrorData } from "../../shared/error_data.ts";
import { fromSent, type SentRequest } from "./sent_request.ts";
import { createWriting } from "./writing.ts";

/** The messages of the writer to its thread. */
export type WriterMessage =
  | { readonly path: string }
  | { readonly group: readonly SentRequest[] }
  | "checkpoint"
  | "close";

/** The global scope of a Worker, which the compiler does not know here. */
interface Thread extends EventTarget {
  postMessage(message: readonly WriteOutcome[]): void;
}

/** Milliseconds without a write after which the cache is given back. */
const IDLE = 2_000;

interface Opened {
  readonly write: (group: readonly WriteRequest[]) => WriteOutcome[];
  readonly checkpoint: () => void;
  readonly shrink: () => void;
  readonly close: () => void;
}

const thread = self as unknown as Thread;
let path = "";
let opened: Opened | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;

thread.addEventListener("message", (event) => {
  // Sound because the writer alone writes to this thread.
  const { data } = event as MessageEvent<WriterMessage>;
  clearTimeout(idle);
  if (data === "close") thread.postMessage(close());
  else if (data === "checkpoint") thread.postMessage(checkpoint());
  else if ("path" in data) path = data.path;
  else thread.postMessage(write(data.group.map(fromSent)));
  idle = setTimeout(() => opened?.shrink(), IDLE);
});

/** A file that cannot be opened fails this group, and is opened again for the next one. */
function write(group: readonly WriteRequest[]): WriteOutcome[] {
  try {
    opened ??= open();
  } catch (error) {
    return group.map(() => ({ thrown: toErrorData(error) }));
  }
  return opened.write(group);
}

function checkpoint(): WriteOutcome[] {
  try {
    opened ??= open();
    opened.checkpoint();
    return [{ value: undefined }];
  } catch (error) {
    return [{ thrown: toErrorData(error) }];
  }
}

function open(): Opened {
  const connection = openConnection(path);
  startServing(connection);
  const one = createWriting(connection);
  return {
    write: (group) => writeGroup(connection, one, group),
    checkpoint: () => connection.db.exec("PRAGMA wal_checkpoint(PASSIVE)"),
    shrink: () => connection.db.exec("PRAGMA shrink_memory"),
    close: connection.close,
  };
}

function close(): WriteOutcome[] {
  try {
    opened?.close();
    opened = undefined;
    return [{ value: undefined }];
  } catch (error) {
    return [{ thrown: toErrorData(error) }];
  }
}
