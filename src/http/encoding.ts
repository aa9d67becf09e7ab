/**
 * Answers that are kept under content codings, and which of them a client takes.
 *
 * @module
 */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import { AppError } from "../errors.ts";
import type { Reply } from "./endpoint.ts";

/** An answer under each of several content codings. */
export interface Encoded {
  readonly byCoding: ReadonlyMap<string, Reply>;
  /** What was chosen for each value of `Accept-Encoding`: clients send few, and reading one takes a while. */
  readonly chosen: Map<string, Reply>;
}

/** The bytes of a text by the name of each content coding. */
export type Encodings = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

const { BROTLI_PARAM_QUALITY, ZSTD_c_compressionLevel } = constants;
type Encode = (bytes: Uint8Array) => Promise<Uint8Array>;

/**
 * The codings, the most wanted first. The levels are those behind which a tenth in size costs five
 * times the work: all three together take a start some 25 ms, in which nothing else is done.
 */
const CODINGS: readonly (readonly [name: string, encode: Encode])[] = [
  [
    "zstd",
    (bytes) => promisify(zstdCompress)(bytes, { params: { [ZSTD_c_compressionLevel]: 9 } }),
  ],
  ["br", (bytes) => promisify(brotliCompress)(bytes, { params: { [BROTLI_PARAM_QUALITY]: 6 } })],
  ["gzip", (bytes) => promisify(gzip)(bytes, { level: 9 })],
];

/** A text under every coding that makes it smaller. */
export async function encodeText(text: string): Promise<Encodings> {
  const plain = new TextEncoder().encode(text);
  const encoded = await Promise.all(
    CODINGS.map(async ([name, encode]) => [name, Uint8Array.from(await encode(plain))] as const),
  );
  return new Map(encoded.filter(([, bytes]) => bytes.length < plain.length));
}

/**
 * An answer with the same one under each coding. There the entity tag is weak: a strong one names one
 * sequence of bytes (RFC 9110 section 8.8.3.3), and a weak one still says which document it is.
 */
export function withEncodings(reply: Reply, encodings: Encodings): Reply {
  const byCoding = new Map<string, Reply>();
  const encoded: Encoded = { byCoding, chosen: new Map() };
  for (const [coding, body] of encodings) {
    const etag = reply.etag === undefined ? {} : { etag: `W/${reply.etag}` };
    byCoding.set(coding, { ...reply, ...etag, encoded, coding, body });
  }
  return { ...reply, encoded };
}

/** The form of an answer that a client takes by `Accept-Encoding`; `not_acceptable` where it takes none. */
export function chooseEncoded(reply: Reply, accept: string | undefined): Reply {
  const { encoded } = reply;
  if (encoded === undefined || accept === undefined) return reply;
  const { byCoding, chosen } = encoded;
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
