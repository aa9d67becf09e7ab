/**
 * Comparing and ranking the parts of pages. One page may have thousands, so that a search pauses between
 * portions of them, wherever pages begin.
 *
 * @module
 */
import type { Phrase } from "../../search/text/query.ts";
import { occursIn } from "../../search/text/spaced.ts";
import type { MeasuredPart } from "../../search/words/score.ts";
import { portionsByLength } from "../../shared/portions.ts";
import type { Rest } from "../../shared/yield_to_event_loop.ts";
import type { WordMatch, WordQuery } from "../../store/port.ts";

/** UTF-16 code units of texts that are looked through between two pauses. */
const TOGETHER = 50_000;

/** Returns whether a part contains a phrase. */
export function hasPhrase({ title, body }: WordMatch, phrase: Phrase): boolean {
  return occursIn(title, phrase) || occursIn(body, phrase);
}

/** Returns the IDs of the pages whose parts have all or any of the phrases. */
export async function fittingPages(
  parts: readonly WordMatch[],
  phrases: readonly Phrase[],
  { match, pause }: Pick<WordQuery, "match"> & { readonly pause: Rest },
): Promise<ReadonlySet<string>> {
  const found = createPhraseFinder(phrases, match);
  await found.add(parts, pause);
  return found.ids;
}

/** Finds phrases in parts that are read one after the other. */
export interface PhraseFinder {
  /** The pages with all or any of the phrases. */
  readonly ids: ReadonlySet<string>;
  add(parts: readonly WordMatch[], pause: Rest): Promise<void>;
}

export function createPhraseFinder(
  phrases: readonly Phrase[],
  match: WordQuery["match"],
): PhraseFinder {
  const ids = new Set<string>();
  const missing = new Map<string, readonly Phrase[]>();
  const look = (part: WordMatch) => {
    if (ids.has(part.id)) return;
    const wanted = missing.get(part.id) ?? phrases;
    const left = wanted.filter((phrase) => !hasPhrase(part, phrase));
    missing.set(part.id, left);
    if (match === "all" ? left.length === 0 : left.length < wanted.length) ids.add(part.id);
  };
  return {
    ids,
    async add(parts, pause) {
      for (const some of portionsOf(parts)) {
        await pause();
        some.forEach(look);
      }
    },
  };
}

/** A part of a page and its score. */
export interface ScoredPart {
  readonly part: WordMatch;
  readonly score: number;
}

/** Returns of each page the part with the highest score, or the first of several. */
export async function bestParts(
  parts: readonly WordMatch[],
  score: (part: MeasuredPart) => number,
  pause: Rest,
): Promise<ScoredPart[]> {
  const best = new Map<string, ScoredPart>();
  for (const some of portionsOf(parts)) {
    await pause();
    for (const part of some) {
      const own = { part, score: score(part) };
      const known = best.get(part.id);
      if (known === undefined || own.score > known.score) best.set(part.id, own);
    }
  }
  return [...best.values()];
}

/** Returns the parts in portions that take a few milliseconds, or one long part. */
export function portionsOf(parts: readonly WordMatch[]): WordMatch[][] {
  return portionsByLength(parts, ({ body }) => body.length, TOGETHER);
}
