/**
 * The live policy as a page for people.
 *
 * @module
 */
import type { Reply } from "../http/endpoint.ts";
import type { Pair } from "../live/pair.ts";
import { type CaseFile, parseCases } from "../policy/cases.ts";
import { readApi } from "../policy/document.ts";
import { listFiles } from "../policy/list_files.ts";
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
  const files = await listFiles(folder, ".json");
  return await Promise.all(
    files.map(async (file) => parseCases(await Deno.readTextFile(file), file)),
  );
}
