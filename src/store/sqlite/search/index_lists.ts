/**
 * Lists of pages or parts in the word index, read a few at a time, and what several lists have in
 * common.
 *
 * @module
 */
import type { Steps } from "../steps.ts";

/** The number of a page or part, and the ID of its page. */
export type Entry = readonly [no: number, id: string];

/** Entries in descending order of their numbers, each once. */
export interface IndexList {
  /** Returns the first entry below a number; the next call asks for a lower one. */
  firstBelow(before: number): Steps<Entry | undefined>;
}

export interface IndexListOptions {
  /** Reads the last entries below a number; an entry may be repeated. */
  readBelow(before: number, limit: number): readonly Entry[];
  /** Entries of the first read and of one read at most. */
  readonly reads: { readonly first: number; readonly most: number };
}

/** Creates a list that is read as far as it is asked for. */
export function createIndexList({ readBelow, reads }: IndexListOptions): IndexList {
  let limit = reads.first;
  let entries: Entry[] = [];
  let last = Infinity;
  let isWhole = false;
  return {
    *firstBelow(before) {
      for (;;) {
        const at = entries.findIndex(([no]) => no < before);
        entries = at < 0 ? [] : entries.slice(at);
        if (entries.length > 0 || isWhole) return entries[0];
        const read = readBelow(Math.min(before, last), limit);
        entries = withoutRepeats(read);
        last = entries.at(-1)?.[0] ?? last;
        isWhole = read.length < limit;
        // The next read skips the rest of what is repeated.
        limit = entries.length < limit / 2 ? reads.first : Math.min(2 * limit, reads.most);
        yield;
      }
    },
  };
}

function withoutRepeats(entries: readonly Entry[]): Entry[] {
  return entries.filter(([no], index) => no !== entries[index - 1]?.[0]);
}

/** Finds the first entry below a number that is in all lists, at least one. */
export function* firstInAll(
  lists: readonly IndexList[],
  before: number,
): Steps<Entry | undefined> {
  let found: Entry | undefined;
  for (let agreed = 0; agreed < lists.length;) {
    for (const list of lists) {
      const entry = yield* list.firstBelow(found === undefined ? before : found[0] + 1);
      if (entry === undefined) return undefined;
      agreed = entry[0] === found?.[0] ? agreed + 1 : 1;
      found = entry;
      if (agreed === lists.length) break;
    }
  }
  return found;
}
