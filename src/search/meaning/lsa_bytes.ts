/**
 * A model of meaning as bytes, to be kept and to be sent to a thread.
 *
 * @module
 */
import type { Lsa } from "./lsa.ts";

/** What stands in front as JSON; the numbers follow: weights, scales, directions. */
interface Head {
  readonly dimensions: number;
  readonly language: string | null;
  /** In the order of their places. */
  readonly terms: readonly string[];
}

const FLOAT = Float32Array.BYTES_PER_ELEMENT;

/** The model as bytes: its head's length, its head, its numbers as this machine writes them. */
export function lsaToBytes(lsa: Lsa): Uint8Array<ArrayBuffer> {
  const { dimensions, vocabulary, scales, directions } = lsa;
  const head: Head = {
    dimensions,
    language: lsa.language ?? null,
    terms: [...vocabulary.places.keys()],
  };
  const json = new TextEncoder().encode(JSON.stringify(head));
  return concatenate([
    new Uint8Array(Uint32Array.of(json.length).buffer),
    json,
    bytesOf(vocabulary.weights),
    bytesOf(scales),
    bytesOf(directions),
  ]);
}

/** The model that `lsaToBytes` wrote. */
export function lsaFromBytes(bytes: Uint8Array): Lsa {
  const length = new Uint32Array(bytes.slice(0, FLOAT).buffer)[0] ?? 0;
  const json = bytes.subarray(FLOAT, FLOAT + length);
  // Sound because `lsaToBytes` alone writes it.
  const { dimensions, language, terms } = JSON.parse(new TextDecoder().decode(json)) as Head;
  const weightsAt = FLOAT + length;
  const scalesAt = weightsAt + FLOAT * terms.length;
  const directionsAt = scalesAt + FLOAT * terms.length;
  // Each a copy of its own, because numbers of four bytes must begin at a multiple of four.
  return {
    dimensions,
    language: language ?? undefined,
    vocabulary: {
      places: new Map(terms.map((term, place) => [term, place])),
      weights: new Float32Array(bytes.slice(weightsAt, scalesAt).buffer),
    },
    scales: new Float32Array(bytes.slice(scalesAt, directionsAt).buffer),
    directions: new Int8Array(bytes.slice(directionsAt).buffer),
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
