/**
 * The live policy as a page for people.
 *
 * @module
 */
import type { Reply } from "../http/endpoint.ts";
import type { Pair } from "../live/pair.ts";
import { type CaseFile, parseCases } from "../policy/cases.ts";
import { readApi } from "../policy/document.ts";
import { lazy } from "./lazy.ts";
import { createPageReply } from "./page_reply.ts";

/** Answers the page of a pair, made when it is first asked for; `cases` is a folder, or none. */
export function createPolicyPage(pair: Pair, cases: string): () => Promise<Reply> {
  return lazy(() => makePage(pair, cases));
}

async function makePage({ policyText, document }: Pair, cases: string): Promise<Reply> {
  const { PAGE_SECURITY, renderPage } = await import("../policy/page.ts");
  const html = renderPage({
    text: policyText,
    file: "policy/scopes.json",
    api: readApi(JSON.parse(document)),
    cases: await readCases(cases),
    reference: "/docs",
  });
  return createPageReply(html, PAGE_SECURITY);
}

async function readCases(folder: string): Promise<CaseFile[]> {
  const files = (await namesIn(folder)).filter((name) => name.endsWith(".json")).sort();
  return await Promise.all(files.map(async (name) => {
    const path = `${folder}/${name}`;
    return parseCases(await Deno.readTextFile(path), path);
  }));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
