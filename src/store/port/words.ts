/**
 * Pages and databases by their words, and in the order of their times.
 *
 * @module
 */
import type { Phrase } from "../../search/text/query.ts";

/** Which pages and databases are searched; the whole workspace if no member is set. */
export interface SearchWithin {
  readonly kind?: "page" | "database";
  /** Their direct parent. */
  readonly parentId?: string;
  /** The node that they are below, at any depth. */
  readonly ancestorId?: string;
}

/** Pages and databases by their words. */
export interface WordQuery {
  /** At least one, unless the scope is less than the whole workspace. */
  readonly phrases: readonly Phrase[];
  /** All phrases must occur in a page, in any part of it, or any of them. */
  readonly match: "all" | "any";
  readonly scope: SearchWithin;
  /** True if only titles are searched. */
  readonly inTitle?: boolean;
  /** Only pages with this number or a higher one. */
  readonly from?: number;
  /** Only pages with a lower number. */
  readonly before?: number;
  /** At most this many parts of pages; further parts of a page that is found may be left out. */
  readonly limit: number;
}

/** A part of a page or database that matches, with the words that `search/text/parts.ts` stores. */
export interface WordMatch {
  readonly id: string;
  /** The page's number: pages that were indexed later have higher ones. */
  readonly no: number;
  readonly title: string;
  readonly body: string;
  /** Number of terms in the part. */
  readonly length: number;
  /** True if the page has no other part. */
  readonly isWhole: boolean;
}

/** A part of a page, by its number in the page. The page may end before it. */
export interface PartPlace {
  readonly id: string;
  readonly part: number;
}

/** Parts of pages: as many as fit into one answer. */
export interface PageWords {
  readonly parts: readonly WordMatch[];
  /** The start of the next answer; undefined if these are all. */
  readonly next: PartPlace | undefined;
}

export interface WordMatches {
  /** Highest numbers first. */
  readonly matches: readonly WordMatch[];
  /** There may be more matches below this number; undefined if these are all. */
  readonly rest: number | undefined;
}

/** How common words are in a workspace, approximately. */
export interface WordStatistics {
  readonly parts: number;
  /** Number of terms in all parts. */
  readonly length: number;
  /** Number of parts with each phrase, in the order of the phrases. */
  readonly counts: readonly number[];
}

/** When pages were created or last edited. */
export type PageTime = "createdTime" | "editedTime";

/** A position in the order of creation or of last edits. */
export interface TimeCursor {
  readonly time: number;
  readonly id: string;
}

/** Pages and databases in the order of their creation or of their last edits. */
export interface TimeQuery {
  /** Default: both. */
  readonly kind?: "page" | "database";
  /** Only these, of either kind. */
  readonly ids?: readonly string[];
  readonly by: PageTime;
  readonly direction: "ascending" | "descending";
  /** Only after this position. */
  readonly after?: TimeCursor;
  readonly limit: number;
}

/** The facts about a page or database outside the trash that filters of a search read. */
export interface PageFacts {
  readonly id: string;
  readonly kind: "page" | "database";
  /** Null at the top of the workspace. */
  readonly parentId: string | null;
  readonly createdTime: number;
  readonly createdBy: string;
  readonly editedTime: number;
  readonly editedBy: string;
  /** Returns whether it is in this page, database or block, at any depth. */
  isBelow(id: string): boolean;
}

export interface WordIndex {
  /**
   * Finds pages and databases by their titles and contents as of the last commit: a page's blocks,
   * a row's properties, a database's description and the names of its properties. Leaves out the
   * trash.
   */
  findWords(workspace: string, query: WordQuery): Promise<WordMatches>;

  /** Returns how common these phrases are. */
  wordStatistics(workspace: string, phrases: readonly Phrase[]): Promise<WordStatistics>;

  /** Returns whether some pages still have the words of an earlier analysis. */
  hasOutdatedWords(workspace: string): Promise<boolean>;

  /**
   * Returns the parts of these pages and databases, in the order of `ids`, from the part `from` of the
   * first one on. Stops once their texts are long.
   */
  words(workspace: string, ids: readonly string[], from?: number): Promise<PageWords>;
}

export interface TimelineReader {
  /** Returns pages and databases outside the trash in the order of their times, then by ID. */
  timeline(workspace: string, query: TimeQuery): Promise<TimeCursor[]>;

  /** Returns the facts of these pages and databases, except those in the trash, in any order. */
  pageFacts(workspace: string, ids: readonly string[]): Promise<PageFacts[]>;
}
