/**
 * A workspace that is large enough to train on: pages about a few subjects, each in its own words.
 *
 * @module
 */
import type { TestApp } from "../support/app.ts";
import { newPage, paragraph, succeed } from "./driver.ts";

const SUBJECTS = 6;
const WORDS = 16;

type Caller = Pick<TestApp, "call">;

/** The words of a subject; texts about it have about half of them. */
export function wordsOf(subject: number): string[] {
  return Array.from({ length: WORDS }, (_, word) => `s${subject}w${word}`);
}

/** A text about a subject; with another seed in other words. */
export function textAbout(subject: number, seed: number): string {
  return wordsOf(subject).filter((_, word) => (word * 7 + seed * 5 + (seed >> 2)) % 11 < 5)
    .join(" ");
}

/** Creates 120 pages, twenty about each subject; returns their ids by subject. */
export async function fillWorkspace(app: Caller, token?: string): Promise<string[][]> {
  const ids: string[][] = Array.from({ length: SUBJECTS }, () => []);
  for (let seed = 0; seed < 20; seed++) {
    for (const [subject, own] of ids.entries()) {
      const children = [paragraph(textAbout(subject, seed))];
      own.push(await newPage(app, { title: "Note", children, ...(token && { token }) }));
    }
  }
  return ids;
}

/** Runs background work until nothing is left to do. */
export async function indexAll({ app }: Pick<TestApp, "app">): Promise<void> {
  const { signal } = new AbortController();
  while (await app.indexing.step(signal));
}

export interface Meant {
  readonly results: readonly {
    readonly id: string;
    readonly object: string;
    readonly match: { readonly score: number; readonly block_id: string; readonly text: string };
  }[];
  readonly next_cursor: string | null;
  readonly search: { readonly ranked_by: string; readonly due: number };
}

/** The reply of a semantic search. */
export function meant(app: Caller, body: object, token?: string): Promise<Meant> {
  return succeed(app, "POST /v2/search/semantic", { body, ...(token && { token }) });
}

/** Ids of the results of a semantic search, in order. */
export async function meantIds(app: Caller, body: object, token?: string): Promise<string[]> {
  return (await meant(app, body, token)).results.map(({ id }) => id);
}
