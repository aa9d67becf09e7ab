/**
 * References within a document.
 *
 * @module
 */
import type { JsonObject } from "../json.ts";
import { isSchema } from "../walk.ts";

const SCHEMAS = "#/components/schemas/";

/** Thrown if a document cannot be compared. The message says why. */
export class UnusableDocument extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UnusableDocument";
  }
}

/** Returns the name of the component schema that a reference points to, or undefined for other values. */
export function nameOf(schema: unknown): string | undefined {
  const reference = isSchema(schema) ? schema["$ref"] : undefined;
  return typeof reference === "string" && reference.startsWith(SCHEMAS)
    ? reference.slice(SCHEMAS.length)
    : undefined;
}

/**
 * Returns the target of a reference, or the value itself if it is not a reference. A value that is not an
 * object is returned as an empty one. Throws {@linkcode UnusableDocument} if the target is missing.
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

/** Returns the target of a JSON Pointer within the document (RFC 6901). */
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
