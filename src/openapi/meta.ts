/**
 * What a client compares before it fetches the document again.
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
 * Describes the document of this text. `etag` is the lower-case hex SHA-256 of its UTF-8, and
 * `generatedAt` moves only when that does. Rejects where the text is no OpenAPI document.
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

/** Reads published metadata; undefined where the text is none. */
export function parseMeta(text: string): Meta | undefined {
  try {
    return v.parse(metaSchema, JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The metadata as it is published. */
export function serializeMeta(meta: Meta): string {
  return `${JSON.stringify(meta, null, 2)}\n`;
}

/** Lower-case hex SHA-256 of a text's UTF-8, by Web Crypto. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}
