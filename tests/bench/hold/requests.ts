/**
 * Parts of requests that several kinds of them share.
 *
 * @module
 */
import type { Answered, Service } from "./service.ts";
import { ROOT } from "./workspace.ts";

export const LONG = { text: { content: "x".repeat(2_000) } };

export type Ask = Service["ask"];

export async function must(asked: Promise<Answered>): Promise<Answered> {
  const answered = await asked;
  if (answered.status !== 200) {
    throw new Error(`${answered.status}: ${JSON.stringify(answered.json())}`);
  }
  return answered;
}

export async function newPage(ask: Ask, more: object = {}): Promise<string> {
  const body = { parent: { page_id: ROOT }, properties: { title: [LONG] }, ...more };
  return (await must(ask("POST /v2/pages", body))).json().id;
}

export const WORDS = "The quick brown fox jumps over the lazy dog.";

export interface Paragraph {
  readonly paragraph: { readonly rich_text: readonly object[] };
}

export function paragraphs(count: number, content = WORDS): Paragraph[] {
  return Array.from({ length: count }, (_, n) => ({
    paragraph: { rich_text: [{ text: { content: `${n} ${content}` } }] },
  }));
}

/** 5,000 blocks in a tree of arrays of 70. */
export function nested(): object[] {
  return Array.from({ length: 70 }, () => ({
    toggle: { rich_text: [{ text: { content: WORDS } }], children: paragraphs(70) },
  }));
}
