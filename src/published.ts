/**
 * The API's document as it stands in `spec/`, checked against its metadata and the policy.
 *
 * @module
 */
import * as v from "valibot";
import type { PublishedDocument } from "./api/services.ts";
import type { Policy, Rule } from "./policy/schema.ts";

const requirements = v.array(v.record(v.string(), v.array(v.string())));
const operation = v.looseObject({ security: requirements });
const documentShape = v.looseObject({
  paths: v.record(v.string(), v.record(v.string(), operation)),
});
const metaShape = v.strictObject({
  etag: v.string(),
  generatedAt: v.string(),
  pathCount: v.number(),
  schemaCount: v.number(),
});

/** A document and its metadata, as text. */
export interface SpecFiles {
  readonly document: string;
  readonly meta: string;
}

/** What is served of the files; throws where they are no document and its metadata. */
export async function publish({ document, meta }: SpecFiles): Promise<PublishedDocument> {
  const { etag } = v.parse(metaShape, JSON.parse(meta));
  const actual = await sha256(document);
  if (etag !== actual) {
    throw new Error("spec/meta.json is not that of spec/openapi.json: run `deno task spec`");
  }
  const metaText = JSON.stringify(JSON.parse(meta));
  return { text: document, etag, metaText, metaEtag: `"${(await sha256(metaText)).slice(0, 32)}"` };
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}

/** One sentence for each route whose `security` in the document is not its rule; none is well. */
export function findSecurityDrift(
  document: string,
  { policy, policyFile }: { readonly policy: Policy; readonly policyFile: string },
): string[] {
  const { paths } = v.parse(documentShape, JSON.parse(document));
  const published = new Map<string, string>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { security }] of Object.entries(operations)) {
      const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
      published.set(route, alternativesKey(security.map((one) => Object.values(one).flat())));
    }
  }
  const names = new Set([...published.keys(), ...policy.routes.keys()]);
  return [...names].filter((name) => published.get(name) !== ruleKey(policy.routes.get(name)))
    .map((name) =>
      `Document and policy differ on "${name}": run \`deno task spec\` after changing ${policyFile}`
    );
}

function ruleKey(rule: Rule | undefined): string | undefined {
  if (rule === undefined) return undefined;
  return alternativesKey(rule.public ? [] : rule.alternatives);
}

/** Alternatives in one order, so that two lists that mean the same are the same text. */
function alternativesKey(alternatives: readonly (readonly string[])[]): string {
  return JSON.stringify(alternatives.map((scopes) => [...scopes].sort()).sort());
}
