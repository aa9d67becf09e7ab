/**
 * Reads what other servers answer, within a limit of bytes: they may be broken, or not ours.
 *
 * @module
 */

/** The body of a response cannot be used, however often it is sent: too long, or malformed. */
export class UnusableBody extends Error {
  override name = "UnusableBody";
}

/**
 * Returns the text of a body. Rejects with `UnusableBody` if it has more than `maxBytes`, of which no
 * more are read, or is not UTF-8, and with any other error if it breaks off.
 */
export async function readBoundedText(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string> {
  const decode = createDecoder();
  let size = 0;
  let text = "";
  for await (const chunk of body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the body.
    if (size > maxBytes) throw new UnusableBody(`Expected at most ${maxBytes} bytes`);
    text += decode(chunk);
  }
  return text + decode();
}

function createDecoder(): (chunk?: Uint8Array) => string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return (chunk) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw new UnusableBody("Expected UTF-8", { cause });
    }
  };
}
