/**
 * The shape of exchanges, which those that differ in values alone share.
 *
 * @module
 */
import type { Exchange, Message } from "../support/exchanges.ts";

/**
 * Names a route, a status, and each member, item, field and parameter with the kind of its value:
 * exchanges of one shape differ in which characters of the same kinds and which numbers of about the
 * same size they have, and in nothing else.
 */
export function shapeOf({ method, path, template, status, asked, answered }: Exchange): string {
  const { searchParams } = new URL(path, "http://recto.test");
  const parts = new Set([
    ...[...searchParams].map(([name, value]) => `?${name}:${kindOf(value)}`),
    ...partsOf(asked).map((part) => `>${part}`),
    ...partsOf(answered).map((part) => `<${part}`),
  ]);
  return [`${method} ${template} ${status}`, ...[...parts].sort()].join("\n");
}

/** Tokens differ and are judged by nobody but the service. */
const UNJUDGED = new Set(["authorization"]);

function partsOf({ headers, body }: Message): string[] {
  const fields = headers.filter(([name]) => !UNJUDGED.has(name));
  return [...fields.map(([name, value]) => `${name}=${kindOf(value)}`), ...bodyParts(body)];
}

function bodyParts(body: string | null): string[] {
  if (body === null) return [];
  const text = new TextDecoder().decode(Uint8Array.fromBase64(body));
  try {
    return [...valueParts(JSON.parse(text), "")];
  } catch {
    return [kindOf(text)];
  }
}

function* valueParts(value: unknown, place: string): Generator<string> {
  if (Array.isArray(value)) {
    yield `${place}[${sizeOf(value.length)}]`;
    for (const item of value) yield* valueParts(item, `${place}[]`);
  } else if (typeof value === "object" && value !== null) {
    yield `${place}{${Object.keys(value).sort()}}`;
    // By their names alone: a schema that contains itself says the same at every depth.
    for (const [name, member] of Object.entries(value)) yield* valueParts(member, name);
  } else yield `${place}:${kindOf(value)}`;
}

const WORD = /^[a-z_]{1,40}$/;

/** Whole words of lower case, as constants are; of other texts their characters and size. */
function kindOf(value: unknown): string {
  if (typeof value === "number") {
    return `${Number.isInteger(value)} ${Math.sign(value)} ${sizeOf(Math.abs(value))}`;
  }
  if (typeof value !== "string" || WORD.test(value)) return String(value);
  const plain = value.replaceAll(/[A-Za-z]/g, "a").replaceAll(/[0-9]/g, "9")
    .replaceAll(/[^\0-\x7f]/gu, "ü").replaceAll(/\s/g, " ");
  return `${sizeOf(value.length)} ${[...new Set(plain)].sort().join("")}`;
}

/** How many bits a number takes. */
function sizeOf(number: number): number {
  return Math.ceil(Math.log2(number + 1));
}
