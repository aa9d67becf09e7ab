/**
 * Embeds several pages at once, even if the embedder refuses some of them.
 *
 * @module
 */
import { type Embedder, TextsRefused } from "../search/embedder.ts";
import type { Passage } from "../search/passages.ts";
import type { Vector } from "../search/vectors/vector.ts";

/** A text that every embedder accepts. */
const ORDINARY = { title: "", text: "text" };

/**
 * Returns the vectors of each page's passages, in order, or the refusal of a page. Rejects if the
 * embedder fails, or if it refuses every text.
 */
export async function embedPages(
  embedder: Embedder,
  pages: readonly (readonly Passage[])[],
  signal: AbortSignal,
): Promise<(readonly Vector[] | TextsRefused)[]> {
  const vectors = await embedUnlessRefused(embedder, pages.flat(), signal);
  if (!(vectors instanceof TextsRefused)) return groupByPage(pages, vectors);
  // A wrong setting leads to the same status, and must not leave every page without vectors.
  await embedder.embed([ORDINARY], signal);
  const embedded: (readonly Vector[] | TextsRefused)[] = [];
  for (const page of pages) embedded.push(await embedUnlessRefused(embedder, page, signal));
  assertEquallyLong(embedded.flatMap((own) => own instanceof TextsRefused ? [] : own));
  return embedded;
}

/** Throws if the embedder changed its dimensions from one page to the next. */
function assertEquallyLong(vectors: readonly Vector[]): void {
  const other = vectors.find(({ length }) => length !== vectors[0]?.length);
  if (other === undefined) return;
  throw new Error(`Embeddings with ${vectors[0]?.length} and with ${other.length} dimensions`);
}

async function embedUnlessRefused(
  embedder: Embedder,
  passages: readonly Passage[],
  signal: AbortSignal,
): Promise<readonly Vector[] | TextsRefused> {
  try {
    return await embedder.embed(passages, signal);
  } catch (error) {
    if (error instanceof TextsRefused) return error;
    throw error;
  }
}

function groupByPage(
  pages: readonly (readonly Passage[])[],
  vectors: readonly Vector[],
): (readonly Vector[])[] {
  let at = 0;
  return pages.map(({ length }) => vectors.slice(at, at += length));
}
