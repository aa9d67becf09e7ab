/**
 * Answers that are kept under content codings, and which of them a client takes.
 *
 * @module
 */
import { AppError } from "../shared/errors.ts";
import type { Encodings } from "./compress.ts";
import type { Reply } from "./endpoint.ts";

/** An answer under each of several content codings. */
export interface Encoded {
  readonly byCoding: Map<string, Reply>;
  /** What was chosen for each value of `Accept-Encoding`: clients send few, and reading one takes a while. */
  readonly chosen: Map<string, Reply>;
}

/** An answer that can be sent under codings too. */
export type Encodable<R extends Reply = Reply> = R & { readonly encoded: Encoded };

/** An answer that can be sent under codings, once {@linkcode addEncodings} tells its bytes. */
export function toEncodable<R extends Reply>(reply: R): Encodable<R> {
  return { ...reply, encoded: { byCoding: new Map(), chosen: new Map() } };
}

/**
 * Has an answer sent under these codings from now on. There its entity tag is weak: a strong one names
 * one sequence of bytes (RFC 9110 section 8.8.3.3), and a weak one still says which document it is.
 */
export function addEncodings(reply: Encodable, encodings: Encodings): void {
  const etag = reply.etag === undefined ? {} : { etag: `W/${reply.etag}` };
  for (const [coding, body] of encodings) {
    reply.encoded.byCoding.set(coding, { ...reply, ...etag, coding, body });
  }
  reply.encoded.chosen.clear();
}

/**
 * The form of an answer that a client takes by `Accept-Encoding`; `not_acceptable` where it takes none,
 * unless there is nothing to choose from.
 */
export function chooseEncoded(reply: Reply, accept: string | undefined): Reply {
  const { encoded } = reply;
  if (encoded === undefined || accept === undefined) return reply;
  const { byCoding, chosen } = encoded;
  if (byCoding.size === 0) return reply;
  const known = chosen.get(accept);
  if (known !== undefined) return known;
  const codings = [...byCoding.keys()];
  const coding = chooseCoding(accept, codings);
  if (coding === undefined) {
    throw new AppError("not_acceptable", `Answers are sent as they are, or ${codings}`);
  }
  const form = byCoding.get(coding) ?? reply;
  if (chosen.size < REMEMBERED) chosen.set(accept, form);
  return form;
}

const REMEMBERED = 100;

const IDENTITY = "identity";
/** Nobody asks for it in particular, and all but those who forbid it take it. */
const UNNAMED_IDENTITY = 0.0001;

/** The best of these codings or `identity`, of equals the first (RFC 9110 section 12.5.3). */
export function chooseCoding(accept: string, codings: readonly string[]): string | undefined {
  const weights = readWeights(accept);
  const weightOf = (coding: string): number =>
    weights.get(coding) ?? weights.get("*") ?? (coding === IDENTITY ? UNNAMED_IDENTITY : 0);
  const best = [...codings, IDENTITY].reduce((a, b) => weightOf(b) > weightOf(a) ? b : a);
  return weightOf(best) > 0 ? best : undefined;
}

const ITEM = /^\s*([\w*-]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?\s*$/i;

/** Weights by coding; an item that is malformed says nothing. */
function readWeights(accept: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of accept.split(",")) {
    const [, coding, weight = "1"] = ITEM.exec(item) ?? [];
    if (coding !== undefined) weights.set(coding.toLowerCase(), Number(weight));
  }
  return weights;
}
