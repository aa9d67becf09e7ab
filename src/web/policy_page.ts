/**
 * The active policy as an HTML page.
 *
 * @module
 */
import type { Reply } from "../http/endpoint.ts";
import type { PolicyBundle } from "../policy_runtime/policy_bundle.ts";
import { lazyPromise } from "../shared/lazy.ts";
import { runInWorker } from "../workers/run_in_worker.ts";
import { createPageReply } from "./page_reply.ts";
import type { PageRequest, PolicyPageFiles, RenderedPage } from "./policy_page_worker.ts";

/**
 * Returns the page of a policy bundle, with notices above it. It is rendered on first use and again
 * when the notices change, in a Worker because that takes some hundred milliseconds. The page rejects
 * when the signal aborts.
 */
export function createPolicyPage(
  { policyText: text, document }: Pick<PolicyBundle, "policyText" | "document">,
  files: PolicyPageFiles,
  signal: AbortSignal,
): (notices: readonly string[]) => Promise<Reply> {
  let cached: { readonly key: string; readonly page: () => Promise<Reply> } | undefined;
  const render = async (notices: readonly string[]): Promise<Reply> => {
    const { html, security } = await renderInWorker({ text, document, files, notices }, signal);
    return createPageReply(html, security);
  };
  return (notices) => {
    const key = JSON.stringify(notices);
    if (cached?.key !== key) cached = { key, page: lazyPromise(() => render(notices)) };
    return cached.page();
  };
}

function renderInWorker(request: PageRequest, signal: AbortSignal): Promise<RenderedPage> {
  const module = import.meta.resolve("./policy_page_worker.ts");
  return runInWorker({ module, purpose: "renders the policy page", signal }, request);
}
