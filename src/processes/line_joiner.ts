/**
 * Joins the output of several processes, line by line.
 *
 * @module
 */

const LINE_FEED = 10;

export interface LineJoiner {
  /** Writes the whole lines of a stream, and its rest once it ends; settles then. */
  add(stream: AsyncIterable<Uint8Array>): Promise<void>;
}

/**
 * Creates a joiner. `write` writes all bytes and is called one at a time. While it is busy, nothing is
 * read of the streams, so that whoever writes to them notices.
 */
export function createLineJoiner(write: (bytes: Uint8Array) => Promise<void>): LineJoiner {
  let last: Promise<void> = Promise.resolve();

  function writeInTurn(bytes: Uint8Array): Promise<void> {
    return last = last.then(() => write(bytes)).catch(() => {});
  }

  return {
    add: async (stream) => {
      let rest: Uint8Array = new Uint8Array();
      for await (const chunk of stream) {
        const end = chunk.lastIndexOf(LINE_FEED) + 1;
        if (end > 0) await writeInTurn(concat(rest, chunk.subarray(0, end)));
        rest = concat(end > 0 ? new Uint8Array() : rest, chunk.subarray(end));
      }
      if (rest.length > 0) await writeInTurn(concat(rest, new Uint8Array([LINE_FEED])));
    },
  };
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
