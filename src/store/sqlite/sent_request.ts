/**
 * Writes on their way to the thread that writes.
 *
 * @module
 */
import { createRest } from "../../shared/yield_to_event_loop.ts";
import type { WriteRequest } from "../writing.ts";

/** A write as it is sent. */
export type SentRequest = Exclude<WriteRequest, { readonly method: "commit" }> | SentCommit;

/** A commit as JSON: to clone 10,000 changes takes 140 ms, and their text a tenth of that. */
interface SentCommit {
  readonly method: "commit";
  readonly json: string;
}

/** Changes whose JSON is written between two pauses at most. */
const STEP = 100;

/** Turns a write into what is sent. Pauses while it writes the JSON of a long commit. */
export async function toSent(request: WriteRequest): Promise<SentRequest> {
  if (request.method !== "commit") return request;
  const [workspace, changes, receipt] = request.args;
  const rest = createRest();
  const steps: string[] = [];
  for (let at = 0; at < changes.length; at += STEP) {
    steps.push(JSON.stringify(changes.slice(at, at + STEP)).slice(1, -1));
    await rest();
  }
  // Without a receipt: JSON would turn the missing one into null.
  const others = receipt === undefined ? "" : `,${JSON.stringify(receipt)}`;
  return { method: "commit", json: `[${JSON.stringify(workspace)},[${steps.join()}]${others}]` };
}

/** Turns what was sent into the write. */
export function fromSent(request: SentRequest): WriteRequest {
  if (!("json" in request)) return request;
  // Sound because `toSent` wrote it, and commits are plain data.
  return { method: "commit", args: JSON.parse(request.json) } as WriteRequest;
}
