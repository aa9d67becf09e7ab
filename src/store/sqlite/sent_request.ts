/**
 * Writes on their way to the thread that writes.
 *
 * @module
 */
import type { Change } from "../../content/schema/node.ts";
import { textPieces } from "../../shared/text_pieces.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";
import type { WriteRequest } from "../writing.ts";
import { documentLength } from "./write_length.ts";

/** A write as it is sent. */
export type SentRequest = Exclude<WriteRequest, { readonly method: "commit" }> | SentCommit;

/**
 * A commit as JSON in UTF-8: to clone 10,000 changes takes 140 ms, and to clone their text a tenth of
 * that, in one turn. Bytes are transferred without a copy.
 */
interface SentCommit {
  readonly method: "commit";
  readonly json: readonly Uint8Array<ArrayBuffer>[];
}

/** Changes, and UTF-16 code units of their documents, whose JSON is written between two pauses. */
const STEP = { changes: 25, length: 250_000 };

/** Turns a write into what is sent. Pauses while it writes the JSON of a long commit. */
export async function toSent(request: WriteRequest): Promise<SentRequest> {
  if (request.method !== "commit") return request;
  const [workspace, changes, receipt] = request.args;
  const rest = createRest();
  const encoder = new TextEncoder();
  const json = [encoder.encode(`[${JSON.stringify(workspace)},[`)];
  let isFirst = true;
  for (const step of stepsOf(changes)) {
    const text = JSON.stringify(step).slice(1, -1);
    await rest();
    for (const piece of textPieces(isFirst ? text : `,${text}`)) {
      json.push(encoder.encode(piece));
      await rest();
    }
    isFirst = false;
  }
  // Without a receipt: JSON would turn the missing one into null.
  json.push(encoder.encode(receipt === undefined ? "]]" : `],${JSON.stringify(receipt)}]`));
  return { method: "commit", json };
}

/** Divides changes into steps, of which only one with a single long document is longer. */
function* stepsOf(changes: readonly Change[]): Generator<readonly Change[]> {
  let step: Change[] = [];
  let length = 0;
  for (const change of changes) {
    const own = documentLength(change);
    if (step.length === STEP.changes || step.length > 0 && length + own > STEP.length) {
      yield step;
      step = [];
      length = 0;
    }
    step.push(change);
    length += own;
  }
  if (step.length > 0) yield step;
}

/** Returns the buffers of a write that are transferred to the thread and not copied. */
export function transferOf(request: SentRequest): Transferable[] {
  return "json" in request ? request.json.map(({ buffer }) => buffer) : [];
}

/** Turns what was sent into the write. */
export function fromSent(request: SentRequest): WriteRequest {
  if (!("json" in request)) return request;
  // A part may begin with U+FEFF, which is text here.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const json = request.json.map((part) => decoder.decode(part)).join("");
  // Sound because `toSent` wrote it, and commits are plain data.
  return { method: "commit", args: JSON.parse(json) } as WriteRequest;
}
