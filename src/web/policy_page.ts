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

/** The files that the page names or reads. */
export interface PolicyPageFiles {
  readonly policy: string;
  /** Folder of the cases, which may be missing. */
  readonly cases: string;
}

/**
 * Returns the page of a policy bundle, with notices above it. It is rendered on first use and again
 * when the notices change.
 */
export function createPolicyPage(
  bundle: PolicyBundle,
  files: PolicyPageFiles,
): (notices: readonly string[]) => Promise<Reply> {
  let cached: { readonly key: string; readonly page: () => Promise<Reply> } | undefined;
  return (notices) => {
    const key = JSON.stringify(notices);
    if (cached?.key !== key) {
      cached = { key, page: lazyPromise(() => makePage(bundle, files, notices)) };
    }
    return cached.page();
  };
}

async function makePage(
  { policyText, document }: PolicyBundle,
  files: PolicyPageFiles,
  notices: readonly string[],
): Promise<Reply> {
  const { PAGE_SECURITY, renderPage } = await import("../policy/page/render_page.ts");
  const { cases, issues } = await readCases(files.cases);
  const html = renderPage({
    text: policyText,
    file: files.policy,
    api: readApi(JSON.parse(document)),
    cases,
    notices: [...notices, ...issues],
    reference: "/docs",
  });
  return createPageReply(html, PAGE_SECURITY);
}

interface ReadCases {
  readonly cases: readonly CaseFile[];
  /** Why files of cases could not be used. Cases are for reviewers: the server runs without them. */
  readonly issues: readonly string[];
}

async function readCases(folder: string): Promise<ReadCases> {
  const results = await Promise.all((await listFiles(folder, ".json")).map(readCaseFile));
  return {
    cases: results.flatMap((result) => typeof result === "string" ? [] : [result]),
    issues: results.filter((result) => typeof result === "string"),
  };
}

/** Returns the cases of a file, or why they cannot be used. */
async function readCaseFile(file: string): Promise<CaseFile | string> {
  try {
    return parseCases(await Deno.readTextFile(file), file);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
