/**
 * `deno task spec`: writes `spec/` out of the endpoints and the policy that `RECTO_POLICY_FILE` names, as
 * the server reads it; `--check` only compares, and `diff` tells what clients would notice.
 *
 * @module
 */
import { readVariables } from "../config/variables.ts";
import { describeSchema } from "./openapi/descriptions.ts";
import { examples } from "./openapi/examples.ts";
import { endpoints, policyRoutes, schemas } from "../api/endpoints.ts";
import { ERRORS } from "../shared/errors.ts";
import { LIMITS } from "../http/request.ts";
import type { Bounds } from "./openapi/bounds.ts";
import { createDocument, serializeDocument } from "./openapi/document.ts";
import {
  type Info,
  type OperatorInfo,
  OperatorInfoError,
  parseOperatorInfo,
} from "./openapi/info.ts";
import { type Checked, checkPolicy, readText } from "../policy_runtime/policy_bundle.ts";
import { findStale, type Publication, publish } from "./openapi/publication.ts";
import { digestOf } from "../policy/digest.ts";
import { createIo } from "../policy/io.ts";
import type { Policy } from "../policy/schema.ts";
import { POLICY, specCommand } from "../policy/lint/paths.ts";
import { EXIT, runSpecDiff } from "./spec_diff.ts";

const FILES: Readonly<Record<keyof Publication, string>> = {
  document: "openapi.json",
  meta: "meta.json",
};

const INFO: Info = {
  title: "Recto",
  version: "2.0.0",
  summary: "Pages, blocks, databases, users, search and files of a workspace.",
  description:
    `Every call needs an access token with the scopes that it names, but for the two that read this document.

A refusal is a problem (RFC 9457) with a \`code\`. What may be wrong is looked for in this order: syntax, route, method, token, scopes, rate, \`Accept\`, body, object, preconditions, conflict.

Where an answer has an \`ETag\`, sending it as \`If-None-Match\` is answered with 304 while nothing has changed, and as \`If-Match\` it changes only what you have read. An \`Idempotency-Key\` makes a \`POST\` or \`PATCH\` safe to repeat.`,
};

/** No text is longer than the request that brought it; lists that grow by references have no end. */
const BOUNDS: Bounds = { text: LIMITS.bodyBytes, items: 2 ** 31 - 1 };

export const TAGS: Readonly<Record<string, string>> = {
  Blocks: "What pages are made of.",
  Databases: "Tables whose rows are pages.",
  Files: "Uploads.",
  OpenAPI: "This document, open to everyone.",
  Pages: "Pages, their properties and their content.",
  Search: "By words and by meaning.",
  Users: "People and bots of the workspace.",
};

export interface SpecOptions {
  /** Makes the text of the document. */
  readonly build: () => string;
  /** Of the policy that it is made from, for the sentence. */
  readonly policyFile: string;
  /** Where the files are, with a slash at its end. */
  readonly folder: URL;
  /** Compares and writes nothing. */
  readonly check: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly print: (line: string) => void;
}

/** The text of this API's document under a policy, with what its operator says of it. */
export function buildDocument(policy: Policy, operatorInfo: OperatorInfo): string {
  const info = { ...INFO, ...operatorInfo, "x-policy-digest": digestOf(policy) };
  return serializeDocument(
    createDocument({
      ...{ endpoints, schemas, policy, info, errors: ERRORS, tags: TAGS, bounds: BOUNDS },
      ...{ describe: describeSchema, examples },
    }),
  );
}

/** Brings `spec/` up to date, or says what is stale; answers the exit code: 0 good, 1 stale. */
export async function runSpec(options: SpecOptions): Promise<0 | 1> {
  const { folder, now, print } = options;
  const previous = {
    document: await readIfThere(new URL(FILES.document, folder)),
    meta: await readIfThere(new URL(FILES.meta, folder)),
  };
  const current = await publish(options.build(), { previous, now });
  const stale = findStale(current, previous);
  for (const part of stale) {
    if (!options.check) await Deno.writeTextFile(new URL(FILES[part], folder), current[part]);
    print(options.check ? `Stale: spec/${FILES[part]}` : `Wrote spec/${FILES[part]}`);
  }
  if (stale.length === 0) print("spec/ is up to date");
  if (!options.check || stale.length === 0) return 0;
  print(`Run: ${specCommand(options.policyFile)}`);
  return 1;
}

async function readIfThere(file: URL): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

export interface Sources {
  readonly policy: Policy;
  readonly operatorInfo: OperatorInfo;
}

/** Reads what the document is made of beside the endpoints, or says all that is wrong with it. */
export async function readSources(paths: {
  readonly policy: string;
  readonly info: string;
}): Promise<Checked<Sources>> {
  const [policyText, infoText] = [await readText(paths.policy), await readText(paths.info)];
  const policy = policyText.ok
    ? checkPolicy(policyText.value, { file: paths.policy, routes: policyRoutes })
    : policyText;
  const info = infoText.ok ? checkInfo(infoText.value, paths.info) : infoText;
  if (policy.ok && info.ok) {
    return { ok: true, value: { policy: policy.value, operatorInfo: info.value } };
  }
  return { ok: false, issues: [policy, info].flatMap((read) => read.ok ? [] : read.issues) };
}

function checkInfo(text: string, file: string): Checked<OperatorInfo> {
  try {
    return { ok: true, value: parseOperatorInfo(text) };
  } catch (error) {
    if (!(error instanceof OperatorInfoError)) throw error;
    return { ok: false, issues: error.issues.map((issue) => `${file}: ${issue}`) };
  }
}

if (import.meta.main) {
  const [command, ...args] = Deno.args;
  Deno.exitCode = command === "diff" ? await runSpecDiff(args, createIo()) : await writeSpec({
    policyFile: readVariables((name) => Deno.env.get(name)).settings.RECTO_POLICY_FILE ?? POLICY,
    check: Deno.args.includes("--check"),
  });
}

async function writeSpec(
  { policyFile, check }: Pick<SpecOptions, "policyFile" | "check">,
): Promise<number> {
  const { out, err } = createIo();
  const sources = await readSources({ policy: policyFile, info: "spec/info.json" });
  if (!sources.ok) {
    err(`${sources.issues.join("\n")}\n`);
    return EXIT.unusable;
  }
  return await runSpec({
    build: () => buildDocument(sources.value.policy, sources.value.operatorInfo),
    folder: new URL("../../spec/", import.meta.url),
    ...{ policyFile, check },
    now: Date.now(),
    print: (line) => out(`${line}\n`),
  });
}
