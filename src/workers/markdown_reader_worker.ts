/**
 * The Worker that reads Markdown: it takes one text a message, and sends back its nodes in portions,
 * each when it is requested.
 *
 * @module
 */
import { parentPort, workerData } from "node:worker_threads";
import type { ValidationIssue } from "../shared/errors.ts";
import { draftMarkdown } from "../content/markdown/draft_markdown.ts";
import { type MarkdownDraft, unreadableIssue } from "../content/markdown/place_nodes.ts";
import type { MarkdownVariant } from "../content/markdown/print_portion.ts";
import type { Node } from "../content/schema/node.ts";
import { lowerPriority } from "./thread_priority.ts";
import { TimeLimitError, withinTime } from "./time_limit.ts";
import type { ThreadData } from "./worker_pool.ts";

/** A text; then, as long as the replies are nodes, a request for each further reply. */
export type MarkdownRequest = MarkdownText | "next";

export interface MarkdownText {
  readonly markdown: string;
  readonly variant: MarkdownVariant | undefined;
  /** Milliseconds. */
  readonly timeLimit: number;
}

/**
 * A portion of the nodes; then everything else, or the issues, or that the time limit was exceeded.
 */
export type MarkdownReply =
  | { readonly nodes: readonly Node[] }
  | Omit<MarkdownDraft, "nodes">
  | { readonly issues: readonly ValidationIssue[] }
  | { readonly exhausted: "time" };

/** Sent once, when the Worker is ready for requests. */
const READY = "ready";

if (parentPort === null) throw new Error("markdown_reader_worker.ts must run in a Worker");
const port = parentPort;
let replies: Iterator<MarkdownReply> = [].values();

port.on("message", (request: MarkdownRequest) => {
  if (request === "next") return reply();
  // `withinTime` needs a task of its own.
  setTimeout(() => {
    replies = repliesTo(request);
    reply();
  }, 0);
});

// Sound because the pool alone starts this module.
lowerPriority((workerData as ThreadData).nice);
port.postMessage(READY);

/** Sends the next reply only: the main thread would receive all that wait in one turn. */
function reply(): void {
  port.postMessage(replies.next().value);
}

function* repliesTo(text: MarkdownText): Generator<MarkdownReply> {
  const outcome = outcomeOf(text);
  if (!("drafted" in outcome)) return yield outcome;
  const { nodes, ...rest } = outcome.drafted;
  for (const some of portions(nodes)) yield { nodes: some };
  yield rest;
}

function outcomeOf(
  { markdown, variant, timeLimit }: MarkdownText,
): ReturnType<typeof draftMarkdown> | { readonly exhausted: "time" } {
  try {
    return withinTime(timeLimit, () => draftMarkdown(markdown, variant));
  } catch (error) {
    if (error instanceof TimeLimitError) return { exhausted: "time" };
    if (error instanceof RangeError) return { issues: [unreadableIssue("nests too deep")] };
    throw error;
  }
}

/**
 * Approximate UTF-16 code units of one message: deserializing a larger one would block the main
 * thread.
 */
const PORTION = 250_000;
/** Size of a node without its document. */
const NODE_OVERHEAD = 500;

function* portions(nodes: readonly Node[]): Generator<Node[]> {
  let portion: Node[] = [];
  let size = 0;
  for (const node of nodes) {
    portion.push(node);
    size += NODE_OVERHEAD + node.doc.length;
    if (size < PORTION) continue;
    yield portion;
    portion = [];
    size = 0;
  }
  if (portion.length > 0) yield portion;
}
