/**
 * Replies that are stored under several content codings, and the choice between them.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import type { Encodings } from "./compress.ts";
import type { Reply } from "./endpoint.ts";

/** A reply under each of several content codings. */
export interface Encoded {
  readonly byCoding: Map<string, Reply>;
  /** The choice for each `Accept-Encoding` so far: there are few, and parsing one takes a while. */
  readonly byAcceptEncoding: Map<string, Reply>;
  /** Called by each request that names codings while there is none. */
  readonly onWanted: () => void;
}

/** A reply that can be sent under several content codings. */
export type Encodable<R extends Reply = Reply> = R & { readonly encoded: Encoded };

/**
 * Makes a reply encodable; {@linkcode addEncodings} adds its bytes. `onWanted` is called by each
 * request that names codings before that, and is sent the reply without any.
 */
export function toEncodable<R extends Reply>(reply: R, onWanted = (): void => {}): Encodable<R> {
  return { ...reply, encoded: { byCoding: new Map(), byAcceptEncoding: new Map(), onWanted } };
}

/**
 * Adds encodings to a reply. Their entity tag is weak, because a strong tag identifies one sequence
 * of bytes (RFC 9110 section 8.8.3.3).
 */
export function addEncodings(reply: Encodable, encodings: Encodings): void {
  const etag = reply.etag === undefined ? {} : { etag: `W/${reply.etag}` };
  for (const [coding, body] of encodings) {
    reply.encoded.byCoding.set(coding, { ...reply, ...etag, coding, body });
  }
  reply.encoded.byAcceptEncoding.clear();
}

/**
 * Returns the reply under the coding that `Accept-Encoding` prefers; throws `not_acceptable` if it
 * accepts none, unless the reply has no encodings.
 */
export function chooseEncoded(reply: Reply, accept: string | undefined): Reply {
  const { encoded } = reply;
  if (encoded === undefined || accept === undefined) return reply;
  const { byCoding, byAcceptEncoding } = encoded;
  if (byCoding.size === 0) {
    encoded.onWanted();
    return reply;
  }
  const cached = byAcceptEncoding.get(accept);
  if (cached !== undefined) return cached;
  const codings = [...byCoding.keys()];
  const coding = chooseCoding(accept, codings);
  if (coding === undefined) {
    throw new AppError(
      "not_acceptable",
      `Accept-Encoding must allow identity or one of ${codings}`,
    );
  }
  const chosen = byCoding.get(coding) ?? reply;
  if (byAcceptEncoding.size < MAX_CACHED) byAcceptEncoding.set(accept, chosen);
  return chosen;
}

const MAX_CACHED = 100;

const IDENTITY = "identity";
/** Weight of `identity` if it is not listed: it is acceptable, but less than any other coding. */
const UNNAMED_IDENTITY = 0.0001;

/** Returns the preferred coding or `identity`; the first of equals (RFC 9110 section 12.5.3). */
export function chooseCoding(accept: string, codings: readonly string[]): string | undefined {
  const weights = readWeights(accept);
  const weightOf = (coding: string): number =>
    weights.get(coding) ?? weights.get("*") ?? (coding === IDENTITY ? UNNAMED_IDENTITY : 0);
  const best = [...codings, IDENTITY].reduce((a, b) => weightOf(b) > weightOf(a) ? b : a);
  return weightOf(best) > 0 ? best : undefined;
}

const ITEM = /^([\w*-]+)(?:\s*;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/** Returns the weights by coding; malformed items are ignored. */
function readWeights(accept: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of accept.split(",")) {
    const [, coding, weight = "1"] = ITEM.exec(item.trim()) ?? [];
    if (coding !== undefined) weights.set(coding.toLowerCase(), Number(weight));
  }
  return weights;
}
