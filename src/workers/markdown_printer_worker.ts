/**
 * The Worker that prints Markdown: it takes a portion of a page piece by piece, and sends back its
 * text in the same way, each piece when it is requested.
 *
 * @module
 */
import {
  type PortionContext,
  type PortionNodes,
  type PrintedPortion,
  printPortion,
} from "../content/markdown/print_portion.ts";

/**
 * Some nodes of the portion; then everything else, after which it is printed; then a request for
 * each piece of the result but the first.
 */
export type PrinterRequest =
  | { readonly nodes: PortionNodes }
  | { readonly context: PortionContext }
  | "next";

/** A piece of the result. */
export type PrinterReply = IteratorResult<PrintedPortion, undefined>;

/** The Worker scope; the compiler types `self` as the scope of the main thread. */
interface WorkerScope extends EventTarget {
  postMessage(message: PrinterReply): void;
}

/** Number of ids in one message. */
const IDS = 1_000;

const worker = self as unknown as WorkerScope;
let received: PortionNodes[] = [];
let results: Iterator<PrintedPortion, undefined> = resultsOf({ texts: [], unknownIds: [] });

worker.addEventListener("message", (event) => {
  // Sound because only the printer sends messages to this Worker.
  const { data } = event as MessageEvent<PrinterRequest>;
  if (data === "next") {
    worker.postMessage(results.next());
  } else if ("nodes" in data) {
    received.push(data.nodes);
  } else {
    results = resultsOf(printPortion({ ...joined(received), ...data.context }));
    received = [];
    worker.postMessage(results.next());
  }
});

function joined(pieces: readonly PortionNodes[]): PortionNodes {
  return {
    ids: pieces.flatMap(({ ids }) => ids),
    types: pieces.flatMap(({ types }) => types),
    parents: pieces.flatMap(({ parents }) => parents),
    titles: pieces.flatMap(({ titles }) => titles),
    docs: pieces.flatMap(({ docs }) => docs),
  };
}

function* resultsOf(
  { texts, unknownIds }: PrintedPortion,
): Generator<PrintedPortion, undefined> {
  for (const text of texts) yield { texts: [text], unknownIds: [] };
  for (let at = 0; at < unknownIds.length; at += IDS) {
    yield { texts: [], unknownIds: unknownIds.slice(at, at + IDS) };
  }
}
