/**
 * The thread that writes: the one connection to a file that does. Its first message is the path; each
 * one behind it is a group of writes, or `"close"`, and has one answer.
 *
 * @module
 */
import type { WriteRequest } from "../writing.ts";
import { openConnection, startServing } from "./connection.ts";
import { writeGroup, type WriteOutcome } from "./groups.ts";
import { toErrorData } from "./error_data.ts";
import { createWriting } from "./writing.ts";

/** What the writer sends to its thread. */
export type WriterMessage =
  | { readonly path: string }
  | { readonly group: readonly WriteRequest[] }
  | "close";

/** The global scope of a Worker, which the compiler does not know here. */
interface Thread extends EventTarget {
  postMessage(message: readonly WriteOutcome[]): void;
}

interface Opened {
  readonly write: (group: readonly WriteRequest[]) => WriteOutcome[];
  readonly close: () => void;
}

const thread = self as unknown as Thread;
let path = "";
let opened: Opened | undefined;

thread.addEventListener("message", (event) => {
  // Sound because the writer alone writes to this thread.
  const { data } = event as MessageEvent<WriterMessage>;
  if (data === "close") thread.postMessage(close());
  else if ("path" in data) path = data.path;
  else thread.postMessage(write(data.group));
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

function open(): Opened {
  const connection = openConnection(path);
  startServing(connection);
  const one = createWriting(connection);
  return { write: (group) => writeGroup(connection, one, group), close: connection.close };
}

function close(): WriteOutcome[] {
  try {
    opened?.close();
    return [{ value: undefined }];
  } catch (error) {
    return [{ thrown: toErrorData(error) }];
  }
}
