/**
 * The thread that reads Markdown: each message is a text, each answer what it stands for.
 *
 * @module
 */
import { type MarkdownContent, readMarkdown } from "../content/markdown/read.ts";

/** Sent once, before anything was asked. */
export const READY = "ready";

/** What a text was found to be. */
export type MarkdownOutcome =
  | { readonly ok: true; readonly content: MarkdownContent }
  /** It nests deeper than it can be read. */
  | { readonly ok: false };

/** What a thread of its own has, which the compiler does not know of here. */
interface Thread extends EventTarget {
  postMessage(message: MarkdownOutcome | typeof READY): void;
}

const thread = self as unknown as Thread;

thread.addEventListener("message", (event) => {
  // Sound because the reader alone writes to this thread.
  const { data } = event as MessageEvent<string>;
  thread.postMessage(outcomeOf(data));
});

thread.postMessage(READY);

function outcomeOf(markdown: string): MarkdownOutcome {
  try {
    return { ok: true, content: readMarkdown(markdown) };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false };
    throw error;
  }
}
