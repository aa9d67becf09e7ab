/**
 * Texts under content codings.
 *
 * @module
 */
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";

/** Bytes by the name of the content coding that they are under. */
export type Encodings = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** The codings, the most wanted first. The levels are those behind which a tenth in size costs much more work. */
const CODINGS: Readonly<Record<string, (plain: Uint8Array) => Uint8Array>> = {
  zstd: (plain) => zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: 12 } }),
  br: (plain) => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (plain) => gzipSync(plain, { level: 9 }),
};

/** A text under every coding that makes it smaller; a large one takes a tenth of a second. */
export function compressText(text: string): Encodings {
  const plain = new TextEncoder().encode(text);
  const encoded = Object.entries(CODINGS)
    .map(([name, compress]) => [name, Uint8Array.from(compress(plain))] as const);
  return new Map(encoded.filter(([, bytes]) => bytes.length < plain.length));
}
