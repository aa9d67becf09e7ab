/**
 * The OpenAPI document with its metadata, and which of both are stale.
 *
 * @module
 */
import { createMeta, parseMeta, serializeMeta } from "../../openapi/meta.ts";

/** The texts of both files. */
export interface Publication {
  readonly document: string;
  readonly meta: string;
}

export interface PublishOptions {
  /** The published texts. Undefined if a file is missing. */
  readonly previous: { readonly [Part in keyof Publication]: string | undefined };
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Adds metadata to a document. Its `generatedAt` only changes with the document. */
export async function publish(
  document: string,
  { previous, now }: PublishOptions,
): Promise<Publication> {
  const last = previous.meta === undefined ? undefined : parseMeta(previous.meta);
  return { document, meta: serializeMeta(await createMeta(document, { previous: last, now })) };
}

/** Returns the parts that differ from the published texts. */
export function findStale(
  current: Publication,
  previous: PublishOptions["previous"],
): (keyof Publication)[] {
  return (["document", "meta"] as const).filter((part) => current[part] !== previous[part]);
}
