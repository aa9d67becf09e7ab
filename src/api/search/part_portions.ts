/**
 * Reading the words of many pages a few at once: each may be long.
 *
 * @module
 */
import type { WordIndex, WordMatch } from "../../store/port.ts";

/** Pages whose words are asked for at once. */
const PORTION = 100;

/**
 * Yields the parts of these pages and databases, page by page; those of one page perhaps in several
 * portions. Of a page that is done, no further portion is read.
 */
export async function* partPortions(
  store: Pick<WordIndex, "words">,
  workspace: string,
  ids: readonly string[],
  isDone: (id: string) => boolean = () => false,
): AsyncGenerator<readonly WordMatch[]> {
  let from = 0;
  for (let at = 0; at < ids.length;) {
    const asked = ids.slice(at, at + PORTION);
    const { parts, next } = await store.words(workspace, asked, from);
    if (parts.length > 0) yield parts;
    const isLeft = next !== undefined && !isDone(next.id);
    at += next === undefined ? asked.length : asked.indexOf(next.id) + (isLeft ? 0 : 1);
    from = isLeft ? next.part : 0;
  }
}
