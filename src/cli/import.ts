/**
 * `recto import PATH`: brings content from outside into a workspace, over the API.
 *
 * @module
 */
import { parseArgs } from "node:util";
import type { Environment } from "../config/variables.ts";
import { OperatorError } from "../store/operator_error.ts";
import { attempt, type CommandResult, conclude, failure } from "./command.ts";
import { filesSource } from "./import/files.ts";
import { jsonlSource } from "./import/jsonl.ts";
import { claimFolder, notionSource, WRITE_JOURNAL } from "./import/notion.ts";
import { DEFAULT_FOLDER, NOTION, NOTION_TOKEN } from "./import/notion/defaults.ts";
import type { ImportSource } from "./import/source.ts";
import { type ApiClientOptions, createApiClient } from "./transfer/api_client.ts";
import { CONNECTION_OPTIONS, CONNECTION_USAGE, readConnection } from "./transfer/connection.ts";
import { openJournal } from "./transfer/journal.ts";
import type { JsonObject } from "./transfer/json.ts";
import { readObjectId } from "./transfer/object_id.ts";
import { createProgress, type Progress } from "./transfer/progress.ts";
import { createReport } from "./transfer/report.ts";
import { usageSentence } from "./transfer/usage.ts";

/** The first one that recognizes the path imports it. */
const SOURCES: readonly ImportSource[] = [jsonlSource, notionSource, filesSource];

const USAGE = `Usage: recto import PATH [--parent PAGE] [--server URL] [OPTIONS]

Imports what is at PATH:
${SOURCES.map(({ usage }) => usage).join("")}
  --parent     ID or URL of the page to import into (default: the top level of the workspace)
  --yes        do not ask before writing
  --journal    file that remembers what is imported, so that another run goes on
               (default: PATH.recto-import)
${CONNECTION_USAGE}`;

const OPTIONS = {
  ...CONNECTION_OPTIONS,
  parent: { type: "string" },
  yes: { type: "boolean" },
  journal: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

export interface ImportCommandContext {
  readonly environment: Environment;
  readonly progress?: Progress;
  /** Sends a request; tests replace it. */
  readonly fetch?: ApiClientOptions["fetch"];
  /** Waits for milliseconds; tests replace it. */
  readonly sleep?: ApiClientOptions["sleep"];
}

/** Imports a source; the exit code is 0 only if all of it was carried. */
export function importInto(
  args: readonly string[],
  context: ImportCommandContext,
): Promise<CommandResult> {
  return attempt("import", () => run(args, context));
}

async function run(
  args: readonly string[],
  { environment, progress = createProgress(), fetch, sleep }: ImportCommandContext,
): Promise<CommandResult> {
  const request = readArguments(args);
  if (typeof request === "string") return failure(2, `${request}\n\n${USAGE}`);
  const { path, values } = request;
  if (values.help === true) return { code: 0, stdout: USAGE, stderr: "" };
  if (path === undefined) return failure(2, `PATH is missing\n\n${USAGE}`);
  const parent = readParent(textOption(values.parent));
  if (typeof parent === "string") return failure(2, `${parent}\n`);
  const connection = readConnection(
    { server: textOption(values.server), parallel: textOption(values.parallel) },
    environment,
  );
  if (typeof connection === "string") return failure(2, `${connection}\n`);
  const chosen = await choose(path, values, environment);
  if (chosen === undefined) return failure(1, `${path} is nothing that can be imported\n`);
  const { source, path: place } = chosen;
  const foreign = foreignOption(values, source);
  if (foreign !== undefined) {
    return failure(2, `--${foreign} is no option of an import of ${source.name}\n`);
  }
  const api = createApiClient({ ...connection, ...(fetch && { fetch }), ...(sleep && { sleep }) });
  const { id: user } = await api.get("/v2/users/me");
  const file = textOption(values.journal) ?? chosen.journal;
  const journal = openJournal(file, { server: connection.server, user: String(user) });
  const report = createReport();
  let isWritten = false;
  try {
    isWritten = await source.run(place, {
      api,
      progress,
      report,
      journal,
      parent,
      options: chosen.values,
      http: { ...(fetch && { fetch }), ...(sleep && { sleep }) },
    });
  } finally {
    progress.end();
    journal.close();
    if (journal.size === 0) await Deno.remove(file);
  }
  if (!isWritten) return { code: 0, stdout: "", stderr: "" };
  return report.conclude(`Imported ${path} as ${source.name}`);
}

/** Returns the file that remembers an import of this path. */
export function defaultJournal(path: string): string {
  return `${path.replace(/\/+$/, "")}.recto-import`;
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

function readArguments(
  args: readonly string[],
): { readonly path: string | undefined; readonly values: Values } | string {
  const options = Object.assign({}, ...SOURCES.map((source) => source.options ?? {}), OPTIONS);
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [path, ...others] = positionals;
    if (others.length > 0) return `Too many arguments: ${others.join(" ")}`;
    // Sound because no option may be repeated.
    return { path, values: values as Values };
  } catch (error) {
    return usageSentence(error, options);
  }
}

function textOption(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns the parent in the form of the API, or the error in its argument. */
function readParent(argument: string | undefined): JsonObject | string {
  if (argument === undefined) return { workspace: true };
  const id = readObjectId(argument);
  return id === undefined
    ? `--parent must be the ID of a page, or its URL: "${argument}"`
    : { page_id: id };
}

interface Chosen {
  readonly source: ImportSource;
  /** The path of the source, or of the folder in which it is mirrored. */
  readonly path: string;
  readonly journal: string;
  readonly values: Values;
}

/** A local folder called like a service is named with its path, such as `./notion`. */
async function choose(
  path: string,
  values: Values,
  environment: Environment,
): Promise<Chosen | undefined> {
  if (path !== NOTION) {
    const source = await sourceOf(path);
    return source && { source, path, journal: defaultJournal(path), values };
  }
  const folder = (textOption(values.folder) ?? DEFAULT_FOLDER).replace(/\/+$/, "");
  const token = textOption(values["from-token"]) ?? environment(NOTION_TOKEN);
  const journal = `${folder}/${WRITE_JOURNAL}`;
  await claimFolder(folder);
  return {
    source: notionSource,
    path: folder,
    journal,
    values: { ...values, "from-token": token },
  };
}

/** Returns an option that only imports of other sources have. */
function foreignOption(values: Values, { options = {} }: ImportSource): string | undefined {
  return Object.keys(values).find((name) => !(name in OPTIONS) && !(name in options));
}

async function sourceOf(path: string): Promise<ImportSource | undefined> {
  try {
    await Deno.stat(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new OperatorError(`there is no file or folder ${path}`, { cause: error });
  }
  for (const source of SOURCES) {
    if (await source.recognizes(path)) return source;
  }
  return undefined;
}

if (import.meta.main) {
  await conclude(await importInto(Deno.args, { environment: (name) => Deno.env.get(name) }));
}
