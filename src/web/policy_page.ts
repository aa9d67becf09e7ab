/**
 * The active policy as an HTML page.
 *
 * @module
 */
import type { Reply } from "../http/endpoint.ts";
import type { PolicyBundle } from "../policy_runtime/policy_bundle.ts";
import { type CaseFile, parseCases } from "../policy/analysis/cases.ts";
import { readApi } from "../policy/document.ts";
import { listFiles } from "../policy/lint/list_files.ts";
import { lazyPromise } from "../shared/lazy.ts";
import { createPageReply } from "./page_reply.ts";

/**
 * Returns the page of a policy bundle, rendered on first use; the folder `cases` may be missing.
 */
export function createPolicyPage(bundle: PolicyBundle, cases: string): () => Promise<Reply> {
  return lazyPromise(() => makePage(bundle, cases));
}

async function makePage({ policyText, document }: PolicyBundle, cases: string): Promise<Reply> {
  const { PAGE_SECURITY, renderPage } = await import("../policy/page/render_page.ts");
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
