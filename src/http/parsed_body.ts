/**
 * A JSON body that arrived: what it says, and whether it is so large that others should be served
 * between the steps of what is done with it.
 *
 * @module
 */
import { lazy } from "../shared/lazy.ts";
import { parseJson } from "./json.ts";
import { LIMITS } from "./request.ts";

export interface ParsedBody {
  readonly bytes: Uint8Array;
  readonly isLarge: boolean;
  /** What it says; throws where it is no JSON. One that is not there is an empty object. */
  readonly json: () => unknown;
}

/** Parses a large body at once, and lets others be served; a small one is parsed when it is read. */
export function parseBody(bytes: Uint8Array): ParsedBody | Promise<ParsedBody> {
  const isLarge = bytes.length > LIMITS.explainedBytes;
  const json = lazy(() => bytes.length === 0 ? {} : parseJson(bytes));
  return isLarge ? parsedBefore({ bytes, isLarge, json }) : { bytes, isLarge, json };
}

async function parsedBefore(body: ParsedBody): Promise<ParsedBody> {
  try {
    body.json();
  } catch {
    // Told when it is read: other faults come first.
  }
  await new Promise((resolve) => setTimeout(resolve, 0));
  return body;
}
