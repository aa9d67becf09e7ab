/**
 * Builds a text of many pieces, which as strings would each take memory and time of their own.
 *
 * @module
 */
import type { Rest } from "../../shared/yield_to_event_loop.ts";

/** UTF-16 code units that become a string at once. */
const PORTION = 8_192;

export interface TextWriter {
  /** Appends a text from `start` to `end`. */
  write(text: string, start?: number, end?: number): void;
  /** Returns everything that was written. */
  read(rest: Rest): Promise<string>;
}

/** Creates a writer of a text with so many UTF-16 code units. */
export function createTextWriter(length: number): TextWriter {
  const units = new Uint16Array(length);
  let written = 0;
  return {
    write: (text, start = 0, end = text.length) => {
      for (let at = start; at < end; at++) units[written++] = text.charCodeAt(at);
    },
    read: async (rest) => {
      const portions: string[] = [];
      for (let at = 0; at < written; at += PORTION) {
        portions.push(Reflect.apply(String.fromCharCode, null, units.subarray(at, at + PORTION)));
        await rest();
      }
      return portions.join("");
    },
  };
}
