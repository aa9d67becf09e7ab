/**
 * The two files of `spec/`, and which of them no longer say what the endpoints say.
 *
 * @module
 */
import { createMeta, parseMeta, serializeMeta } from "../../openapi/meta.ts";

/** The texts of `openapi.json` and `meta.json`. */
export interface Publication {
  readonly document: string;
  readonly meta: string;
}

export interface PublishOptions {
  /** What is published now; undefined where a file is missing. */
  readonly previous: { readonly [Part in keyof Publication]: string | undefined };
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Puts a document beside its metadata, which keeps its time while the document stays the same. */
export async function publish(
  document: string,
  { previous, now }: PublishOptions,
): Promise<Publication> {
  const last = previous.meta === undefined ? undefined : parseMeta(previous.meta);
  return { document, meta: serializeMeta(await createMeta(document, { previous: last, now })) };
}

/** The parts that differ from what is published. */
export function findStale(
  current: Publication,
  previous: PublishOptions["previous"],
): (keyof Publication)[] {
  return (["document", "meta"] as const).filter((part) => current[part] !== previous[part]);
}
