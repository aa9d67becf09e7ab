/**
 * Vectors of pages, and the spaces in which they can be compared.
 *
 * @module
 */
import type { DuePage } from "./queue.ts";
import type { SearchWithin } from "./words.ts";

/** One way to turn the texts of a workspace into vectors, and how far indexing has come. */
export interface VectorSpace {
  /** From 1 on, in the order of creation. */
  readonly number: number;
  /** The embedder that makes its vectors. */
  readonly embedder: string;
  /** How many parts of pages the workspace had when the space was created. */
  readonly parts: number;
  /** True if all older pages have come due for it. */
  readonly isFilled: boolean;
  /** True if every page has had vectors in it. */
  readonly isComplete: boolean;
  /** Dimensions of its vectors; undefined before the first vector. */
  readonly dimensions: number | undefined;
}

export interface NewSpace extends Pick<VectorSpace, "number" | "embedder" | "parts"> {
  /** Set if they are known before the first vector. */
  readonly dimensions?: number;
  /** The model that was learnt for it, if any. */
  readonly model?: Uint8Array;
}

/**
 * The vectors of a page: for each passage the block that it starts with, null for the page itself.
 */
export interface PageVectors {
  readonly id: string;
  readonly blocks: readonly (string | null)[];
  /** The vectors one after the other, a byte for each dimension; empty for a page without text. */
  readonly vectors: Uint8Array;
}

/** The vectors of a page, and their place in the order in which vectors were saved. */
export interface SavedVectors extends PageVectors {
  readonly sequence: number;
}

export interface VectorQuery {
  /** Only vectors with a higher sequence number. */
  readonly after: number;
  readonly limit: number;
}

export interface PageIdQuery {
  /** Only after this ID. */
  readonly after?: string;
  readonly limit: number;
}

export interface NearQuery {
  /** A byte for each dimension. */
  readonly vector: Int8Array;
  readonly scope: SearchWithin;
  /** About this many pages; there may be more. */
  readonly limit: number;
}

/**
 * An index in the database over the vectors of large spaces, so that no process has to hold them.
 * It lags behind what is saved: `extend` brings it up to date.
 */
export interface VectorIndex {
  /**
   * Returns up to which sequence number the index has the vectors of a space. Undefined if the
   * space has no index: it is small enough to be compared one by one, or the index is still to be
   * built.
   */
  reach(workspace: string, space: number): Promise<number | undefined>;

  /**
   * Returns pages in the scope with vectors near this one, without trashed pages, in any order. May
   * miss some of the nearest, but returns as many as `limit` if the index has them. Their vectors
   * are the last ones saved, even if the index still has older ones.
   */
  near(workspace: string, space: number, query: NearQuery): Promise<SavedVectors[]>;

  /** Does the next step of building or updating the index; false if nothing is left to do. */
  extend(workspace: string, space: number): Promise<boolean>;
}

export interface VectorSpaceStore {
  /** Returns the workspaces that have pages or databases. */
  searchedWorkspaces(): Promise<string[]>;

  /** Returns the spaces of a workspace, oldest first. */
  spaces(workspace: string): Promise<VectorSpace[]>;

  /** Creates a space; false if the workspace has a space with this number. */
  addSpace(workspace: string, space: NewSpace): Promise<boolean>;

  /** Returns the model learnt for a space; undefined if it has none or does not exist. */
  model(workspace: string, number: number): Promise<Uint8Array | undefined>;

  /**
   * Goes through the next pages that are older than the space, at most `limit`, and puts those
   * without vectors in it into the queue. Returns how many it went through; 0 means that the space
   * is filled.
   */
  fillSpace(workspace: string, number: number, limit: number): Promise<number>;

  /** Marks a space as having vectors of every page, and deletes older spaces. */
  completeSpace(workspace: string, number: number): Promise<void>;
}

export interface VectorStore {
  /** Undefined if the database has no vector index. */
  readonly vectorIndex?: VectorIndex;

  /**
   * Replaces the vectors of these pages and removes the pages from the queue. A page that has
   * changed since it was taken stays in the queue and gets no vectors. Returns false, and does
   * nothing, if the space has vectors of other dimensions.
   */
  saveVectors(
    workspace: string,
    space: number,
    pages: readonly (DuePage & PageVectors)[],
  ): Promise<boolean>;

  /**
   * Returns vectors of a space in the order in which they were saved, the last ones of each page.
   */
  vectors(workspace: string, space: number, query: VectorQuery): Promise<SavedVectors[]>;

  /** Deletes the vectors of deleted spaces, of at most `limit` pages; returns of how many. */
  sweepVectors(workspace: string, limit: number): Promise<number>;

  /** Returns the IDs of pages in order, including trashed ones. */
  pageIds(workspace: string, query: PageIdQuery): Promise<string[]>;

  /** Returns those of these pages that are in the scope and not in the trash, in any order. */
  pagesWithin(workspace: string, ids: readonly string[], scope: SearchWithin): Promise<string[]>;
}
