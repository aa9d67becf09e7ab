/**
 * The policy and the document of `spec/`, which count only together.
 *
 * @module
 */
import { findSecurityDrift } from "../openapi/drift.ts";
import { parseMeta, sha256 } from "../openapi/meta.ts";
import { digestOf } from "../policy/digest.ts";
import { findDrift } from "../policy/drift.ts";
import { PolicyError } from "../policy/issue.ts";
import { parsePolicy, type Policy } from "../policy/schema.ts";
import { specCommand } from "../policy/lint/places.ts";

/** One thing for each file of a pair. */
export type BundleFiles<T> = Readonly<Record<"policy" | "document" | "meta", T>>;

/** What was read and found good, or one sentence for each reason why it was not. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly string[] };

/** A policy and a document that say the same, about the routes that are there. */
export interface PolicyBundle {
  readonly policy: Policy;
  /** The file that it was read from. */
  readonly policyText: string;
  /** The document, to the byte. */
  readonly document: string;
  /** Its SHA-256. */
  readonly etag: string;
  /** Its metadata, as JSON on one line. */
  readonly meta: string;
  readonly metaEtag: string;
}

/** Reads a file whole. */
export async function readText(path: string): Promise<Checked<string>> {
  try {
    return good(await Deno.readTextFile(path));
  } catch (error) {
    return bad([`${path} cannot be read: ${error instanceof Error ? error.message : error}`]);
  }
}

/** Reads the files of a pair; never rejects. */
export async function readTexts(paths: BundleFiles<string>): Promise<Checked<BundleFiles<string>>> {
  const [policy, document, meta] = await Promise.all([
    readText(paths.policy),
    readText(paths.document),
    readText(paths.meta),
  ]);
  if (policy.ok && document.ok && meta.ok) {
    return good({ policy: policy.value, document: document.value, meta: meta.value });
  }
  return bad([policy, document, meta].flatMap((read) => read.ok ? [] : read.issues));
}

export interface CheckOptions {
  /** Names of the files, for the sentences. */
  readonly paths: BundleFiles<string>;
  /** `METHOD path` of every endpoint that stands under the policy. */
  readonly routes: readonly string[];
}

/** Makes a pair of what was read, or says all that is wrong with it; never rejects. */
export async function checkBundle(
  texts: BundleFiles<string>,
  { paths, routes }: CheckOptions,
): Promise<Checked<PolicyBundle>> {
  const policy = checkPolicy(texts.policy, { file: paths.policy, routes });
  const document = await checkDocument(texts, paths);
  if (!policy.ok || !document.ok) {
    return bad([policy, document].flatMap((checked) => checked.ok ? [] : checked.issues));
  }
  const drift = findDocumentDrift(texts.document, policy.value, paths);
  if (drift.length > 0) return bad(drift);
  return good({ policy: policy.value, policyText: texts.policy, ...document.value });
}

export interface PolicyCheckOptions {
  /** Name of the file, for the sentences. */
  readonly file: string;
  readonly routes: readonly string[];
}

/** Makes a policy of a text, once its rules are those of the routes. */
export function checkPolicy(
  text: string,
  { file, routes }: PolicyCheckOptions,
): Checked<Policy> {
  try {
    const policy = parsePolicy(text);
    const drift = findDrift({ policy, policyFile: file, routes });
    return drift.length === 0 ? good(policy) : bad(drift);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    return bad(error.message.split("\n").map((line) => `${file}: ${line}`));
  }
}

/** Makes what is served of a document, once its metadata is its own. */
async function checkDocument(
  texts: BundleFiles<string>,
  paths: BundleFiles<string>,
): Promise<Checked<Pick<PolicyBundle, "document" | "etag" | "meta" | "metaEtag">>> {
  const meta = parseMeta(texts.meta);
  const etag = await sha256(texts.document);
  if (meta?.etag !== etag) {
    return bad([
      `${paths.meta} is not that of ${paths.document}: run \`${specCommand(paths.policy)}\``,
    ]);
  }
  const compact = JSON.stringify(meta);
  const metaEtag = await sha256(compact);
  return good({ document: texts.document, etag, meta: compact, metaEtag });
}

/** A text that is no document at all is a fault like another: it must not end a server that runs. */
function findDocumentDrift(
  document: string,
  policy: Policy,
  paths: BundleFiles<string>,
): readonly string[] {
  try {
    const digest = digestOf(policy);
    return findSecurityDrift(document, { policy, digest, policyFile: paths.policy });
  } catch {
    return [`${paths.document} is no OpenAPI document: run \`${specCommand(paths.policy)}\``];
  }
}

function good<T>(value: T): Checked<T> {
  return { ok: true, value };
}

function bad(issues: readonly string[]): Checked<never> {
  return { ok: false, issues };
}
