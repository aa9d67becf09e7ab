/**
 * The vectors of several pages at once, though an embedder refuses some of them.
 *
 * @module
 */
import { type Embedder, TextsRefused } from "../search/embedder.ts";
import type { Passage } from "../search/passages.ts";
import type { Vector } from "../search/vectors/vector.ts";

/** A text that every embedder takes. */
const ORDINARY = { title: "", text: "text" };

/**
 * The vectors of each page's passages, in order; the refusal of a page that is refused by itself.
 * Rejects where the embedder cannot do it now, and where it refuses just any text.
 */
export async function embedPages(
  embedder: Embedder,
  pages: readonly (readonly Passage[])[],
  signal: AbortSignal,
): Promise<(readonly Vector[] | TextsRefused)[]> {
  const vectors = await embedUnlessRefused(embedder, pages.flat(), signal);
  if (!(vectors instanceof TextsRefused)) return apart(pages, vectors);
  // A wrong setting is refused in the same way, and must not leave every page without vectors.
  await embedder.embed([ORDINARY], signal);
  const embedded: (readonly Vector[] | TextsRefused)[] = [];
  for (const page of pages) embedded.push(await embedUnlessRefused(embedder, page, signal));
  assertEquallyLong(embedded.flatMap((own) => own instanceof TextsRefused ? [] : own));
  return embedded;
}

/** The embedder may answer otherwise from one page to the next. */
function assertEquallyLong(vectors: readonly Vector[]): void {
  const other = vectors.find(({ length }) => length !== vectors[0]?.length);
  if (other === undefined) return;
  throw new Error(`Vectors of ${vectors[0]?.length} and of ${other.length} dimensions`);
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

/** The vectors by page. */
function apart(
  pages: readonly (readonly Passage[])[],
  vectors: readonly Vector[],
): (readonly Vector[])[] {
  let at = 0;
  return pages.map(({ length }) => vectors.slice(at, at += length));
}
