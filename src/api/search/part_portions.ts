/**
 * Reading the words of many pages a few at once: each may be long.
 *
 * @module
 */
import type { WordIndex, WordMatch } from "../../store/port.ts";

/** Pages whose words are asked for at once. */
const PORTION = 20;

/** Yields all parts of these pages and databases, those of each together. */
export async function* partPortions(
  store: Pick<WordIndex, "words">,
  workspace: string,
  ids: readonly string[],
): AsyncGenerator<readonly WordMatch[]> {
  for (let at = 0; at < ids.length;) {
    const asked = ids.slice(at, at + PORTION);
    const parts = await store.words(workspace, asked);
    if (parts.length > 0) yield parts;
    const read = new Set(parts.map(({ id }) => id));
    const last = asked.findLastIndex((id) => read.has(id));
    at += last < 0 ? asked.length : last + 1;
  }
}
