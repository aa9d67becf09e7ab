/**
 * The body of a reply with the Markdown of a page.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { RenderedPage } from "../../content/markdown/render_page.ts";
import type { Reply } from "../../http/endpoint.ts";
import { streamOf } from "../../http/response_writer.ts";
import { jsonPieces } from "../../shared/json_pieces.ts";
import { LongText } from "../../shared/long_text.ts";

/**
 * UTF-16 code units of the longest body that is one text: to join a longer one takes too long. Texts
 * that may be edited are not longer.
 */
const JOINED = 2 ** 20;
/** UTF-16 code units of the longest body that is complete before it is sent; a larger one holds less. */
const COMPLETE = 10_000_000;

export interface BodyOptions {
  /** Sends the parts while they are made, however short they are. */
  readonly isLarge: boolean;
  /** Makes a text of any body, because a stream cannot be redacted. */
  readonly isRedacted: boolean;
}

/** Makes the body of these parts: with its length, unless it is sent while it is made. */
export async function bodyOf(
  parts: AsyncGenerator<string>,
  { isLarge, isRedacted }: BodyOptions,
): Promise<Pick<Reply, "body" | "fields">> {
  if (isLarge && !isRedacted) return { body: streamOf(parts, COMPLETE) };
  const texts: string[] = [];
  let length = 0;
  let bytes = 0;
  while (length <= COMPLETE || isRedacted) {
    const { done, value } = await parts.next();
    if (done === true) {
      if (length <= JOINED) return { body: texts.join("") };
      if (isRedacted) return { body: new LongText(texts) };
      return { body: streamOf(texts, length), fields: { "content-length": String(bytes) } };
    }
    texts.push(value);
    length += value.length;
    bytes += Buffer.byteLength(value);
  }
  return { body: streamOf(concatenated(texts, parts), length) };
}

async function* concatenated(
  first: readonly string[],
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  yield* first;
  yield* rest;
}

/** The parts of the JSON of a page's Markdown. */
export async function* jsonParts(
  id: string,
  { parts, unknownIds, omittedIds }: RenderedPage,
): AsyncGenerator<string> {
  yield `{"object":"page_markdown","id":"${id}","markdown":"`;
  for await (const part of parts) yield JSON.stringify(part).slice(1, -1);
  yield `","truncated":${omittedIds.length > 0},"unknown_block_ids":`;
  yield* jsonPieces([...unknownIds, ...omittedIds]);
  yield "}";
}
