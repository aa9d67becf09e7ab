/**
 * Strict UTF-8: invalid bytes are an error, and a byte order mark is kept.
 *
 * @module
 */

/** The bytes are not UTF-8. */
export class Utf8Error extends Error {
  constructor() {
    super("The file is not UTF-8 text");
    this.name = "Utf8Error";
  }
}

/** Decodes UTF-8; throws `Utf8Error`. */
export function decodeUtf8(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Utf8Error();
  }
}
