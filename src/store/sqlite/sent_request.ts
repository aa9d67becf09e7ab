/**
 * Writes on their way to the thread that writes.
 *
 * @module
 */
import { createRest } from "../../shared/yield_to_event_loop.ts";
import type { WriteRequest } from "../writing.ts";

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

/** Changes whose JSON is written between two pauses at most. */
const STEP = 25;

/** Turns a write into what is sent. Pauses while it writes the JSON of a long commit. */
export async function toSent(request: WriteRequest): Promise<SentRequest> {
  if (request.method !== "commit") return request;
  const [workspace, changes, receipt] = request.args;
  const rest = createRest();
  const encoder = new TextEncoder();
  const json = [encoder.encode(`[${JSON.stringify(workspace)},[`)];
  for (let at = 0; at < changes.length; at += STEP) {
    const step = JSON.stringify(changes.slice(at, at + STEP)).slice(1, -1);
    json.push(encoder.encode(at === 0 ? step : `,${step}`));
    await rest();
  }
  // Without a receipt: JSON would turn the missing one into null.
  json.push(encoder.encode(receipt === undefined ? "]]" : `],${JSON.stringify(receipt)}]`));
  return { method: "commit", json };
}

/** Returns the buffers of a write that are transferred to the thread and not copied. */
export function transferOf(request: SentRequest): Transferable[] {
  return "json" in request ? request.json.map(({ buffer }) => buffer) : [];
}

/** Turns what was sent into the write. */
export function fromSent(request: SentRequest): WriteRequest {
  if (!("json" in request)) return request;
  const decoder = new TextDecoder();
  const json = request.json.map((part) => decoder.decode(part)).join("");
  // Sound because `toSent` wrote it, and commits are plain data.
  return { method: "commit", args: JSON.parse(json) } as WriteRequest;
}
