/**
 * The Worker that renders the policy page: it takes one message with a policy, and sends back the page.
 *
 * @module
 */
import { type CaseFile, parseCases } from "../policy/analysis/cases.ts";
import { readApi } from "../policy/document.ts";
import { listFiles } from "../policy/lint/list_files.ts";
import { PAGE_SECURITY, renderPage } from "../policy/page/render_page.ts";

/** The files that the page names or reads. */
export interface PolicyPageFiles {
  readonly policy: string;
  /** Folder of the cases, which may be missing. */
  readonly cases: string;
}

export interface PageRequest {
  /** Text of the policy file. */
  readonly text: string;
  /** Text of the OpenAPI document. */
  readonly document: string;
  readonly files: PolicyPageFiles;
  readonly notices: readonly string[];
}

export interface RenderedPage {
  readonly html: string;
  /** Its content security policy. */
  readonly security: string;
}

/** The Worker scope; the compiler types `self` as the scope of the main thread. */
interface WorkerScope extends EventTarget {
  postMessage(page: RenderedPage): void;
}

const worker = self as unknown as WorkerScope;

worker.addEventListener("message", async (event) => {
  // Sound because only `createPolicyPage` sends messages to this Worker.
  const { data } = event as MessageEvent<PageRequest>;
  worker.postMessage(await render(data));
});

async function render({ text, document, files, notices }: PageRequest): Promise<RenderedPage> {
  const { cases, issues } = await readCases(files.cases);
  const html = renderPage({
    text,
    file: files.policy,
    api: readApi(JSON.parse(document)),
    cases,
    notices: [...notices, ...issues],
    reference: "/docs",
  });
  return { html, security: PAGE_SECURITY };
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
