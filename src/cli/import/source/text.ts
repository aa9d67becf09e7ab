/**
 * Decodes texts: UTF-8, UTF-16 with a byte order mark, and other encodings by name or by guess.
 *
 * @module
 */
import { SourceError } from "./source.ts";

/** A text with the encoding it was read in; `isGuess` if nothing but its bytes suggests it. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
  readonly isGuess: boolean;
}

/** Decodes bytes. `named` is an encoding (WHATWG label) for texts that are not UTF-8. */
export async function decodeText(
  bytes: Uint8Array<ArrayBuffer>,
  named?: string,
): Promise<DecodedText> {
  const { encoding, isGuess } = await findEncoding(bytes, named);
  return { text: createDecoder(encoding, false).decode(bytes), encoding, isGuess };
}

/** Finds the encoding of a text by its first bytes, or all of them. */
export async function findEncoding(
  bytes: Uint8Array<ArrayBuffer>,
  named?: string,
): Promise<{ readonly encoding: string; readonly isGuess: boolean }> {
  const marked = markOf(bytes);
  if (marked !== undefined) return { encoding: marked, isGuess: false };
  if (isUtf8(bytes)) return { encoding: "utf-8", isGuess: false };
  if (named !== undefined) {
    createDecoder(named, false);
    return { encoding: named, isGuess: false };
  }
  const { default: chardet } = await import("chardet");
  return { encoding: supported(chardet.detect(bytes)), isGuess: true };
}

/** A decoder of an encoding; throws `SourceError` if there is no such encoding. */
export function createDecoder(encoding: string, fatal: boolean): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal });
  } catch {
    throw new SourceError(
      `${encoding} is not an encoding: use a name such as windows-1252, shift_jis or gbk`,
    );
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

function isUtf8(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function supported(guess: string | null): string {
  try {
    return new TextDecoder(guess ?? "").encoding;
  } catch {
    return "windows-1252";
  }
}
