/**
 * References within a document.
 *
 * @module
 */
import type { JsonObject } from "../json.ts";
import { isSchema } from "../walk.ts";

const SCHEMAS = "#/components/schemas/";

/** A document cannot be compared; the message says why. */
export class UnusableDocument extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UnusableDocument";
  }
}

/** The component schema that a reference names; undefined of anything else. */
export function nameOf(schema: unknown): string | undefined {
  const reference = isSchema(schema) ? schema["$ref"] : undefined;
  return typeof reference === "string" && reference.startsWith(SCHEMAS)
    ? reference.slice(SCHEMAS.length)
    : undefined;
}

/**
 * What a reference leads to; any other value is itself, or empty where it is no object. Throws
 * {@linkcode UnusableDocument} where nothing is there.
 */
export function resolve(document: JsonObject, value: unknown): JsonObject {
  let at = isSchema(value) ? value : {};
  const seen = new Set<unknown>();
  while (typeof at["$ref"] === "string") {
    if (seen.has(at)) throw new UnusableDocument(`Reference leads to itself: ${at["$ref"]}`);
    seen.add(at);
    at = find(document, at["$ref"]);
  }
  return at;
}

/** What a JSON pointer within the document names (RFC 6901). */
function find(document: JsonObject, reference: string): JsonObject {
  const [start, ...names] = reference.split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = names.reduce<unknown>(
    (at, name) => isSchema(at) && Object.hasOwn(at, name) ? at[name] : undefined,
    start === "#" ? document : undefined,
  );
  if (!isSchema(found)) throw new UnusableDocument(`Nothing is at ${JSON.stringify(reference)}`);
  return found;
}
