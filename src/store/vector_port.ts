/**
 * What the store keeps of the meaning of pages.
 *
 * @module
 */

import type { DuePage, SearchWithin } from "./port.ts";

/** A way to turn the texts of a workspace into vectors, and how far it has come. */
export interface VectorSpace {
  /** From 1 on, in the order in which they were made. */
  readonly number: number;
  /** Who makes its vectors. */
  readonly embedder: string;
  /** Parts of pages that there were when it was made. */
  readonly parts: number;
  /** Whether all pages that were there before it have come due for it. */
  readonly isFilled: boolean;
  /** Whether it has had vectors of every page. */
  readonly isComplete: boolean;
  /** Of its vectors; undefined before the first. */
  readonly dimensions: number | undefined;
}

export interface NewSpace extends Pick<VectorSpace, "number" | "embedder" | "parts"> {
  /** Where they are known before its first vector. */
  readonly dimensions?: number;
  /** What was learnt for it, if anything was. */
  readonly model?: Uint8Array;
}

/** The vectors of a page: of each passage the block that it begins with, null for the page itself. */
export interface PageVectors {
  readonly id: string;
  readonly blocks: readonly (string | null)[];
  /** One after the other, a byte for each dimension; empty of a page without text. */
  readonly vectors: Uint8Array;
}

/** Vectors in the order in which they were saved. */
export interface SavedVectors extends PageVectors {
  readonly sequence: number;
}

export interface VectorQuery {
  /** Only what was saved behind this place. */
  readonly after: number;
  readonly limit: number;
}

export interface PageIdQuery {
  /** Only behind this id. */
  readonly after?: string;
  readonly limit: number;
}

export interface NearQuery {
  /** A byte for each dimension. */
  readonly vector: Int8Array;
  readonly scope: SearchWithin;
  /** So many pages and perhaps some more. */
  readonly limit: number;
}

/**
 * An index of the vectors of large spaces in the database, so that no process has to hold them. It
 * follows what is saved: `extend` brings in what came since.
 */
export interface VectorIndex {
  /**
   * Which vectors of a space are in its index: those saved up to this place. Undefined where there is
   * none, because they are few enough to be compared one by one, or not yet.
   */
  reach(workspace: string, space: number): Promise<number | undefined>;

  /**
   * Pages with vectors near this one that live and lie in the scope, in no order. Some of the nearest
   * may be missed, but there are as many as the limit where the index has as many. Their vectors are
   * the last ones saved, though the index may still know them by others.
   */
  near(workspace: string, space: number, query: NearQuery): Promise<SavedVectors[]>;

  /** Does the next piece of making the index, or of bringing it up to date; false where there is none. */
  extend(workspace: string, space: number): Promise<boolean>;
}

/** The part of the store that keeps vectors. */
export interface VectorStore {
  /** Left out where the database has none. */
  readonly vectorIndex?: VectorIndex;

  /** The workspaces that have pages or databases. */
  searchedWorkspaces(): Promise<string[]>;

  /** The spaces of a workspace, oldest first. */
  spaces(workspace: string): Promise<VectorSpace[]>;

  /** Begins a space; false where the workspace has one of this number. */
  addSpace(workspace: string, space: NewSpace): Promise<boolean>;

  /** What was learnt for a space; undefined where nothing was, or there is none of this number. */
  model(workspace: string, number: number): Promise<Uint8Array | undefined>;

  /**
   * Goes through the next pages that were there before the space, at most `limit`, and puts those into
   * the queue that have no vectors in it; answers how many it went through. With 0 the space is filled.
   */
  fillSpace(workspace: string, number: number, limit: number): Promise<number>;

  /** Says that a space has vectors of every page, and forgets those that are older. */
  completeSpace(workspace: string, number: number): Promise<void>;

  /** Deletes vectors of forgotten spaces, those of at most `limit` pages; answers how many. */
  sweepVectors(workspace: string, limit: number): Promise<number>;

  /**
   * Saves the vectors of these pages in place of those that they had, and takes them out of the
   * queue. A page that has changed since it was taken stays in it and gets no vectors. False where the
   * space has vectors of other dimensions: then nothing happened.
   */
  saveVectors(
    workspace: string,
    space: number,
    pages: readonly (DuePage & PageVectors)[],
  ): Promise<boolean>;

  /** Vectors of a space in the order in which they were saved; of each page the last ones alone. */
  vectors(workspace: string, space: number, query: VectorQuery): Promise<SavedVectors[]>;

  /** Ids of pages in order, of trashed ones too. */
  pageIds(workspace: string, query: PageIdQuery): Promise<string[]>;

  /** Those of these pages that live and lie in the scope, in no order. */
  pagesWithin(workspace: string, ids: readonly string[], scope: SearchWithin): Promise<string[]>;
}
