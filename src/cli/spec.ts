/**
 * `recto spec`: writes the OpenAPI document from the endpoints and the policy. `--check` only
 * compares, and `diff` tells what clients would notice. `RECTO_POLICY_FILE` names the policy, as for
 * the server.
 *
 * @module
 */
import { type Environment, readVariables } from "../config/variables.ts";
import { endpoints, policyRoutes } from "../api/endpoints.ts";
import { ERRORS } from "../shared/errors.ts";
import { LIMITS } from "../http/request.ts";
import { type CommandResult, conclude } from "./command.ts";
import { asksForHelp, runCommandLine } from "./options.ts";
import type { Bounds } from "./openapi/schemas.ts";
import { createDocument, serializeDocument } from "./openapi/document.ts";
import {
  type Info,
  type OperatorInfo,
  OperatorInfoError,
  parseOperatorInfo,
} from "./openapi/info.ts";
import { type Checked, checkPolicy, readText } from "../policy_runtime/policy_bundle.ts";
import { findStale, publish } from "./openapi/publication.ts";
import { digestOf } from "../policy/digest.ts";
import { createIo } from "../policy/io.ts";
import type { Policy } from "../policy/schema.ts";
import { createEditorSchema } from "../policy/editor_schema.ts";
import { readApi } from "../policy/document.ts";
import { printJson } from "../policy/lint/print_json.ts";
import { routeName } from "../http/endpoint.ts";
import {
  documentPaths,
  isDefaultPolicy,
  POLICY,
  POLICY_SCHEMA,
  specCommand,
} from "../policy/lint/paths.ts";
import { EXIT, runSpecDiff } from "./spec_diff.ts";

const INFO: Info = {
  title: "Recto",
  version: "2.0.0",
  summary: "Pages, blocks, databases, users, search and files of a workspace.",
  description: `Read and write the pages, blocks, databases and files of a workspace as JSON.

**Authentication.** Every call except the two that return this document requires an access token with the scopes listed.

**Errors.** An error is a problem (RFC 9457) with a \`code\`. Requests are checked in this order: syntax, route, method, token, scopes, rate limit, \`Accept\`, body, object, preconditions, conflicts.

**Lists.** A list has up to 100 items per page. To read the next page, send its \`next_cursor\` as \`start_cursor\`.

**Caching and concurrency.** If a response has an \`ETag\`, send it as \`If-None-Match\` to get 304 while nothing has changed, or as \`If-Match\` to write only what you have read.

**Retries.** Send an \`Idempotency-Key\` to make it safe to repeat a \`POST\` or \`PATCH\`.`,
};

const USAGE = `Usage: recto spec [--check]
       recto spec diff OLD [NEW] [--json]

Writes the OpenAPI document of the policy and its metadata to spec/, and the policy's JSON Schema to
policy/. If RECTO_POLICY_FILE names another policy, such as policy/ours.json, its document is beside
it: policy/ours.openapi.json and policy/ours.meta.json.

  --check  write nothing, and fail if anything is out of date
  diff     print what clients notice between two documents: .json files, git revisions such as main
           or main:spec/openapi.json, or - for standard input. NEW is spec/openapi.json by default
  --json   print JSON
`;

/** No string is longer than the request that it came in. Lists that grow by references are unbounded. */
const BOUNDS: Bounds = { text: LIMITS.bodyBytes, items: 2 ** 31 - 1 };

export interface SpecOptions {
  /** Returns the text of the document. */
  readonly build: () => string;
  /** Path of the policy. */
  readonly policyFile: string;
  /** Folder that the paths are relative to, with a slash; default the current one. */
  readonly root?: string;
  /** If true, compares and writes nothing. */
  readonly check: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly print: (line: string) => void;
}

/** Returns the text of this API's document under a policy. */
export function buildDocument(policy: Policy, operatorInfo: OperatorInfo): string {
  const info = { ...INFO, ...operatorInfo, "x-policy-digest": digestOf(policy) };
  return serializeDocument(
    createDocument({ endpoints, policy, info, errors: ERRORS, bounds: BOUNDS }),
  );
}

/**
 * Brings the document of a policy up to date, or prints what is stale. Returns the exit code: 0 if up
 * to date, else 1.
 */
export async function runSpec(options: SpecOptions): Promise<0 | 1> {
  const { root = "", now, print } = options;
  const paths = documentPaths(options.policyFile);
  const previous = {
    document: await readIfThere(root + paths.document),
    meta: await readIfThere(root + paths.meta),
  };
  const current = await publish(options.build(), { previous, now });
  const stale = findStale(current, previous);
  for (const part of stale) {
    if (!options.check) await Deno.writeTextFile(root + paths[part], current[part]);
    print(options.check ? `Stale: ${paths[part]}` : `Wrote ${paths[part]}`);
  }
  if (stale.length === 0) print(`${paths.document} is up to date`);
  if (!options.check || stale.length === 0) return 0;
  print(`Run: ${specCommand(options.policyFile)}`);
  return 1;
}

async function readIfThere(file: string): Promise<string | undefined> {
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

/** Reads the policy and `spec/info.json`, or returns everything that is wrong with both. */
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
    return { ok: true, value: { policy: policy.value.policy, operatorInfo: info.value } };
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
  if (command === "diff" && !asksForHelp(args)) {
    Deno.exitCode = await runSpecDiff(args, createIo());
  } else await conclude(await specCommandLine(Deno.args, (name) => Deno.env.get(name)));
}

/** Writes or compares the document of the environment's policy. */
function specCommandLine(
  args: readonly string[],
  environment: Environment,
): Promise<CommandResult> {
  const commandLine = { usage: USAGE, values: [], flags: ["check"] };
  return runCommandLine(commandLine, args, async ({ flags }) => {
    const policyFile = readVariables(environment).settings.RECTO_POLICY_FILE ?? POLICY;
    const code = await writeSpec({ policyFile, check: flags.has("check") });
    return { code, stdout: "", stderr: "" };
  });
}

async function writeSpec(
  { policyFile, check }: Pick<SpecOptions, "policyFile" | "check">,
): Promise<0 | 1 | 2> {
  const { out, err } = createIo();
  const sources = await readSources({ policy: policyFile, info: "spec/info.json" });
  if (!sources.ok) {
    err(`${sources.issues.join("\n")}\n`);
    return EXIT.unusable;
  }
  const { policy, operatorInfo } = sources.value;
  const print = (line: string) => out(`${line}\n`);
  const code = await runSpec({
    build: () => buildDocument(policy, operatorInfo),
    policyFile,
    check,
    now: Date.now(),
    print,
  });
  // Other policies have scopes of their own, and no schema beside them.
  if (!isDefaultPolicy(policyFile)) return code;
  const text = editorSchemaText(policy, buildDocument(policy, operatorInfo));
  const schemaCode = await runSchema({ text, check, print });
  return code === 0 ? schemaCode : code;
}

/** Returns the text of the JSON Schema that editors check the policy with. */
export function editorSchemaText({ scopes }: Policy, document: string): string {
  const routes = new Map(
    endpoints.filter(({ operational }) => operational !== true)
      .map((endpoint) => [routeName(endpoint), endpoint.summary]),
  );
  const { fields } = readApi(JSON.parse(document));
  // Short lists on one line, as `deno fmt` prints them.
  return printJson(createEditorSchema({ scopes, routes, fields }), {
    spread: (path) => path.length < 2,
  });
}

/** Writes the JSON Schema of the policy if it is stale, or says so. Returns the exit code. */
async function runSchema(
  { text, check, print }: {
    readonly text: string;
    readonly check: boolean;
    readonly print: (line: string) => void;
  },
): Promise<0 | 1> {
  if (await readIfThere(POLICY_SCHEMA) === text) return 0;
  if (!check) await Deno.writeTextFile(POLICY_SCHEMA, text);
  print(check ? `Stale: ${POLICY_SCHEMA}\nRun: ${specCommand(POLICY)}` : `Wrote ${POLICY_SCHEMA}`);
  return check ? 1 : 0;
}
