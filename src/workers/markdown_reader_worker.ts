/**
 * The thread that reads Markdown: each message is a text, the answers what it stands for.
 *
 * @module
 */
import { parentPort } from "node:worker_threads";
import type { ValidationIssue } from "../shared/errors.ts";
import { draftMarkdown } from "../content/markdown/draft_markdown.ts";
import { type MarkdownDraft, unreadableIssue } from "../content/markdown/place_nodes.ts";
import type { Node } from "../content/schema/node.ts";
import { TimeLimitError, withinTime } from "./time_limit.ts";

export interface MarkdownQuestion {
  readonly markdown: string;
  /** Milliseconds. */
  readonly timeLimit: number;
}

/** Nodes, some at a time, and then the rest; or issues; or that its time was over. */
export type MarkdownMessage =
  | { readonly nodes: readonly Node[] }
  | Omit<MarkdownDraft, "nodes">
  | { readonly issues: readonly ValidationIssue[] }
  | { readonly spent: "time" };

/** Sent once, before anything was asked. */
const READY = "ready";

if (parentPort === null) throw new Error("Nobody asks");
const port = parentPort;

port.on("message", (question: MarkdownQuestion) => {
  // In a task of its own, as a time limit asks for.
  setTimeout(() => answer(question), 0);
});

port.postMessage(READY);

function answer(question: MarkdownQuestion): void {
  const outcome = outcomeOf(question);
  if (!("drafted" in outcome)) return say(outcome);
  const { nodes, ...rest } = outcome.drafted;
  for (const some of portions(nodes)) say({ nodes: some });
  say(rest);
}

function say(message: MarkdownMessage): void {
  port.postMessage(message);
}

function outcomeOf(
  { markdown, timeLimit }: MarkdownQuestion,
): ReturnType<typeof draftMarkdown> | { readonly spent: "time" } {
  try {
    return withinTime(timeLimit, () => draftMarkdown(markdown));
  } catch (error) {
    if (error instanceof TimeLimitError) return { spent: "time" };
    if (error instanceof RangeError) return { issues: [unreadableIssue("nests too deep")] };
    throw error;
  }
}

/** UTF-16 code units that one message holds, about: whoever takes it does nothing else meanwhile. */
const PORTION = 250_000;
/** What a node takes beside its document. */
const NODE = 500;

function* portions(nodes: readonly Node[]): Generator<Node[]> {
  let portion: Node[] = [];
  let size = 0;
  for (const node of nodes) {
    portion.push(node);
    size += NODE + node.doc.length;
    if (size < PORTION) continue;
    yield portion;
    portion = [];
    size = 0;
  }
  if (portion.length > 0) yield portion;
}
