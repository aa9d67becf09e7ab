/**
 * The policy and the document of `spec/`, which are only valid together.
 *
 * @module
 */
import { findSecurityDrift } from "../openapi/drift.ts";
import { parseMeta, sha256 } from "../openapi/meta.ts";
import { digestOf } from "../policy/digest.ts";
import { falseStatements } from "../policy/analysis/invariants.ts";
import { findDrift } from "../policy/drift.ts";
import { PolicyError } from "../policy/issue.ts";
import { parsePolicyFile, type Policy, type PolicyFile } from "../policy/schema.ts";
import { decodeUtf8 } from "../shared/utf8.ts";
import { specCommand } from "../policy/lint/paths.ts";

/** A value for each file of a bundle. */
export type BundleFiles<T> = Readonly<Record<"policy" | "document" | "meta", T>>;

/** A valid value, or a sentence for each issue. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly string[] };

/** A policy and a document that agree with each other and with the endpoints. */
export interface PolicyBundle {
  readonly policy: Policy;
  /** The whole policy file, with its statements. */
  readonly policyFile: PolicyFile;
  /** Text of the policy file. */
  readonly policyText: string;
  /** Text of the document. */
  readonly document: string;
  /** Its SHA-256. */
  readonly etag: string;
  /** Its metadata, as JSON on one line. */
  readonly meta: string;
  readonly metaEtag: string;
}

/** Reads a text file; never rejects. `writtenBy` is the command that creates it. */
export async function readText(path: string, writtenBy?: string): Promise<Checked<string>> {
  try {
    return good(decodeUtf8(await Deno.readFile(path)));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound && writtenBy !== undefined) {
      return bad([`${path} does not exist: run \`${writtenBy}\``]);
    }
    return bad([`${path} cannot be read: ${error instanceof Error ? error.message : error}`]);
  }
}

/** Reads the files of a bundle; never rejects. */
export async function readTexts(paths: BundleFiles<string>): Promise<Checked<BundleFiles<string>>> {
  const command = specCommand(paths.policy);
  const [policy, document, meta] = await Promise.all([
    readText(paths.policy),
    readText(paths.document, command),
    readText(paths.meta, command),
  ]);
  if (policy.ok && document.ok && meta.ok) {
    return good({ policy: policy.value, document: document.value, meta: meta.value });
  }
  return bad([policy, document, meta].flatMap((read) => read.ok ? [] : read.issues));
}

export interface CheckOptions {
  /** Names of the files, for the sentences. */
  readonly paths: BundleFiles<string>;
  /** `METHOD path` of every endpoint that needs a rule. */
  readonly routes: readonly string[];
  /** `METHOD path` of every endpoint that needs an alias; undefined: aliases are not compared. */
  readonly aliases?: readonly string[] | undefined;
}

/** Checks the files of a bundle together; returns all issues and never rejects. */
export async function checkBundle(
  texts: BundleFiles<string>,
  { paths, routes, aliases }: CheckOptions,
): Promise<Checked<PolicyBundle>> {
  const policy = checkPolicy(texts.policy, { file: paths.policy, routes, aliases });
  const document = await checkDocument(texts, paths);
  if (!policy.ok || !document.ok) {
    return bad([policy, document].flatMap((checked) => checked.ok ? [] : checked.issues));
  }
  const policyFile = policy.value;
  const drift = findDocumentDrift(texts.document, policyFile.policy, paths);
  if (drift.length > 0) return bad(drift);
  return good({
    policy: policyFile.policy,
    policyFile,
    policyText: texts.policy,
    ...document.value,
  });
}

export interface PolicyCheckOptions {
  /** Name of the file, for the sentences. */
  readonly file: string;
  readonly routes: readonly string[];
  /** `METHOD path` of every endpoint that needs an alias; undefined: aliases are not compared. */
  readonly aliases?: readonly string[] | undefined;
}

/**
 * Parses a policy and checks that it has a rule for exactly these routes, and that its own
 * statements are true.
 */
export function checkPolicy(
  text: string,
  { file, routes, aliases }: PolicyCheckOptions,
): Checked<PolicyFile> {
  try {
    const policyFile = parsePolicyFile(text);
    const issues = [
      ...findDrift({ policy: policyFile.policy, policyFile: file, routes, aliases }),
      ...falseStatements(policyFile).map((sentence) => `${file}: ${sentence}`),
    ];
    return issues.length === 0 ? good(policyFile) : bad(issues);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    return bad(error.message.split("\n").map((line) => `${file}: ${line}`));
  }
}

/** Checks that the metadata belongs to the document. */
async function checkDocument(
  texts: BundleFiles<string>,
  paths: BundleFiles<string>,
): Promise<Checked<Pick<PolicyBundle, "document" | "etag" | "meta" | "metaEtag">>> {
  const meta = parseMeta(texts.meta);
  const etag = await sha256(texts.document);
  if (meta?.etag !== etag) {
    return bad([
      `${paths.meta} does not belong to ${paths.document}: run \`${specCommand(paths.policy)}\``,
    ]);
  }
  const compact = JSON.stringify(meta);
  const metaEtag = await sha256(compact);
  return good({ document: texts.document, etag, meta: compact, metaEtag });
}

/** A text that is not a document is an issue like any other: it must not stop a running server. */
function findDocumentDrift(
  document: string,
  policy: Policy,
  paths: BundleFiles<string>,
): readonly string[] {
  try {
    const digest = digestOf(policy);
    return findSecurityDrift(document, { policy, digest, policyFile: paths.policy });
  } catch {
    return [`${paths.document} is not an OpenAPI document: run \`${specCommand(paths.policy)}\``];
  }
}

function good<T>(value: T): Checked<T> {
  return { ok: true, value };
}

function bad(issues: readonly string[]): Checked<never> {
  return { ok: false, issues };
}
