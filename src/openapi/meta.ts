/**
 * Metadata of the OpenAPI document, which tells clients whether it changed.
 *
 * @module
 */
import * as v from "valibot";

const metaSchema = v.strictObject({
  etag: v.string(),
  generatedAt: v.string(),
  pathCount: v.number(),
  schemaCount: v.number(),
});

export type Meta = Readonly<v.InferOutput<typeof metaSchema>>;

export interface MetaOptions {
  /** The metadata that was published last. */
  readonly previous: Meta | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const documentShape = v.object({
  paths: v.record(v.string(), v.unknown()),
  components: v.object({ schemas: v.record(v.string(), v.unknown()) }),
});

/**
 * Returns the metadata of a document. `etag` is the SHA-256 of its UTF-8 bytes in lower-case hex, and
 * `generatedAt` only changes with it. Rejects if the text is not an OpenAPI document.
 */
export async function createMeta(
  documentText: string,
  { previous, now }: MetaOptions,
): Promise<Meta> {
  const { paths, components } = v.parse(documentShape, JSON.parse(documentText));
  const etag = await sha256(documentText);
  const generatedAt = previous?.etag === etag ? previous.generatedAt : new Date(now).toISOString();
  return {
    etag,
    generatedAt,
    pathCount: Object.keys(paths).length,
    schemaCount: Object.keys(components.schemas).length,
  };
}

/** Parses published metadata. Returns undefined if the text is invalid. */
export function parseMeta(text: string): Meta | undefined {
  try {
    return v.parse(metaSchema, JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns the metadata as it is published. */
export function serializeMeta(meta: Meta): string {
  return `${JSON.stringify(meta, null, 2)}\n`;
}

/** Returns the SHA-256 of a text's UTF-8 bytes in lower-case hex. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}
