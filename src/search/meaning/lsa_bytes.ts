/**
 * Serializes a model to bytes, for the store and for Workers.
 *
 * @module
 */
import type { Lsa } from "./lsa.ts";

/** The header, as JSON. Weights, scales and directions follow it. */
interface Header {
  readonly dimensions: number;
  readonly language: string | null;
  /** In the order of their rows. */
  readonly terms: readonly string[];
}

const FLOAT = Float32Array.BYTES_PER_ELEMENT;

/** Serializes a model: length of the header, header, numbers in this machine's byte order. */
export function lsaToBytes(lsa: Lsa): Uint8Array<ArrayBuffer> {
  const { dimensions, vocabulary, scales, directions } = lsa;
  const head: Header = {
    dimensions,
    language: lsa.language ?? null,
    terms: [...vocabulary.rows.keys()],
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

/** Parses what {@linkcode lsaToBytes} returned. */
export function lsaFromBytes(bytes: Uint8Array): Lsa {
  const length = new Uint32Array(bytes.slice(0, FLOAT).buffer)[0] ?? 0;
  const json = bytes.subarray(FLOAT, FLOAT + length);
  // Sound because only `lsaToBytes` writes it.
  const { dimensions, language, terms } = JSON.parse(new TextDecoder().decode(json)) as Header;
  const weightsAt = FLOAT + length;
  const scalesAt = weightsAt + FLOAT * terms.length;
  const directionsAt = scalesAt + FLOAT * terms.length;
  // Copied, because four-byte numbers must be aligned to multiples of four.
  return {
    dimensions,
    language: language ?? undefined,
    vocabulary: {
      rows: new Map(terms.map((term, place) => [term, place])),
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
