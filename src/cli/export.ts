/**
 * `recto export DIR`: writes a workspace to a folder, over the API.
 *
 * @module
 */
import { parseArgs } from "node:util";
import type { Environment } from "../config/variables.ts";
import { attempt, type CommandResult, conclude, failure } from "./command.ts";
import type { ExportContext } from "./export/context.ts";
import { exportJsonl } from "./export/jsonl.ts";
import { exportMarkdown } from "./export/markdown.ts";
import { type ApiClientOptions, createApiClient } from "./transfer/api_client.ts";
import { CONNECTION_OPTIONS, CONNECTION_USAGE, readConnection } from "./transfer/connection.ts";
import { readObjectId } from "./transfer/object_id.ts";
import { createProgress, type Progress } from "./transfer/progress.ts";
import { createReport } from "./transfer/report.ts";
import { usageSentence } from "./transfer/usage.ts";

const USAGE = `Usage: recto export DIR [--format markdown|jsonl] [--root PAGE] [--since last|TIME]
         [--server URL] [OPTIONS]

Writes a workspace to DIR, or a part of it: all that is not in the trash.

  --format     markdown: Markdown with front matter, CSV and files, for people (default)
               jsonl: JSON lines, complete, which \`recto import\` takes back
  --root       ID or URL of a page or database to export, with all that is in it
               (default: the workspace)
  --since      last: read only what changed since the earlier export in DIR, and bring DIR up to
               date; a time such as 2026-11-22T08:00:00Z: also all that was edited since then
${CONNECTION_USAGE}`;

const FORMATS = { markdown: exportMarkdown, jsonl: exportJsonl };

const OPTIONS = {
  ...CONNECTION_OPTIONS,
  format: { type: "string", default: "markdown" },
  root: { type: "string" },
  since: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/;

export interface ExportCommandContext {
  readonly environment: Environment;
  readonly progress?: Progress;
  /** Sends a request; tests replace it. */
  readonly fetch?: ApiClientOptions["fetch"];
  /** Waits for milliseconds; tests replace it. */
  readonly sleep?: ApiClientOptions["sleep"];
}

/** Exports a workspace; the exit code is 0 only if the export is complete. */
export function exportTo(
  args: readonly string[],
  context: ExportCommandContext,
): Promise<CommandResult> {
  return attempt("export", () => run(args, context));
}

async function run(
  args: readonly string[],
  { environment, progress = createProgress(), fetch, sleep }: ExportCommandContext,
): Promise<CommandResult> {
  const request = readArguments(args);
  if (request === "help") return { code: 0, stdout: USAGE, stderr: "" };
  if (typeof request === "string") return failure(2, `${request}\n\n${USAGE}`);
  const connection = readConnection(request.values, environment);
  if (typeof connection === "string") return failure(2, `${connection}\n`);
  const api = createApiClient({ ...connection, ...(fetch && { fetch }), ...(sleep && { sleep }) });
  const report = createReport();
  try {
    await request.write(request.path, { ...request, api, progress, report });
  } finally {
    progress.end();
  }
  return report.conclude(`Exported to ${request.path}`);
}

type Selection = Pick<ExportContext, "root" | "since">;

interface ExportRequest extends Selection {
  readonly path: string;
  readonly write: (path: string, context: ExportContext) => Promise<void>;
  readonly values: { readonly server?: string; readonly parallel?: string };
}

/** Returns what to export, `help`, or the error in the arguments. */
function readArguments(args: readonly string[]): ExportRequest | string {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    return usageSentence(error, OPTIONS);
  }
  const { values, positionals: [path, ...others] } = parsed;
  if (values.help === true) return "help";
  if (path === undefined) return "DIR is missing";
  if (others.length > 0) return `Too many arguments: ${others.join(" ")}`;
  const write = new Map(Object.entries(FORMATS)).get(values.format);
  if (write === undefined) {
    return `--format must be ${Object.keys(FORMATS).join(" or ")}: "${values.format}"`;
  }
  const selection = readSelection(values);
  if (typeof selection === "string") return selection;
  return { path: path.replace(/(?<=.)\/+$/, ""), write, values, ...selection };
}

function readSelection(
  { root, since }: { readonly root?: string; readonly since?: string },
): Selection | string {
  const id = root === undefined ? undefined : readObjectId(root);
  if (root !== undefined && id === undefined) {
    return `--root must be the ID of a page or database, or its URL: "${root}"`;
  }
  if (since !== undefined && since !== "last" && !(TIME.test(since) && Date.parse(since) > 0)) {
    return `--since must be last, or a time such as 2026-11-22T08:00:00Z: "${since}"`;
  }
  return {
    root: id,
    since: since === undefined || since === "last" ? since : new Date(since).toISOString(),
  };
}

if (import.meta.main) {
  await conclude(await exportTo(Deno.args, { environment: (name) => Deno.env.get(name) }));
}
