/**
 * Imports files: exports of the vendor, vaults, outlines, folders of Markdown, and tables.
 *
 * @module
 */
import { didYouMean } from "../../shared/did_you_mean.ts";
import { OperatorError } from "../../store/operator_error.ts";
import { detectKind } from "./detect.ts";
import { readFileOptions } from "./file_options.ts";
import { planFolder } from "./plan_folder.ts";
import type { Plan, ReportLoss, SourceKind } from "./plan.ts";
import { confirmPlan, describePlan } from "./describe_plan.ts";
import type { Report } from "../transfer/report.ts";
import type { ImportContext, ImportSource } from "./source.ts";
import { openSource } from "./source/open.ts";
import { type Source, SourceError } from "./source/source.ts";
import type { InferOptions } from "./tables/infer.ts";
import type { PlanOptions } from "./plan_folder.ts";
import { writePlan } from "./write/write_plan.ts";

const USAGE = `  a folder, or a ZIP archive (with all its parts, Part-1, Part-2, ...):
               an export of Notion (Markdown & CSV, or HTML), an Obsidian vault, a Logseq graph,
               or any other Markdown, with its pictures and files
  a file       Markdown, HTML, or a table (CSV, TSV, XLSX), which becomes a database
    --plan       show what would be written, and the types of all columns, and stop
    --types      types of columns: "Price=number,Due=date"
    --dates      order of dates like 03/04/2026: dmy or mdy
    --decimals   what divides decimals in numbers like 1,234: point or comma
    --encoding   encoding of texts that are not UTF-8, such as windows-1252
    --time-zone  zone of times, which exports leave out, such as Europe/Berlin (default: UTC)
`;

export const FILE_OPTIONS = {
  plan: { type: "boolean" },
  types: { type: "string" },
  dates: { type: "string" },
  decimals: { type: "string" },
  encoding: { type: "string" },
  "time-zone": { type: "string" },
} as const;

/** Folders, archives and tables. */
export const filesSource: ImportSource = {
  name: "files",
  usage: USAGE,
  options: FILE_OPTIONS,
  recognizes: () => Promise.resolve(true),
  run: importFiles,
};

/** Writes to people, not to programs. */
export interface Terminal {
  readonly write: (text: string) => void;
  /** Asks; undefined if nobody can answer. */
  readonly confirm: ((question: string) => boolean) | undefined;
}

const TERMINAL: Terminal = {
  write: (text) => void Deno.stderr.writeSync(new TextEncoder().encode(text)),
  confirm: Deno.stdin.isTerminal() && Deno.stderr.isTerminal() ? confirm : undefined,
};

/** Imports what is at the path. */
export async function importFiles(
  path: string,
  context: ImportContext,
  terminal: Terminal = TERMINAL,
): Promise<boolean> {
  const options = readFileOptions(context.options);
  const scratch = `${path.replace(/\/+$/, "")}.recto-import.tmp`;
  try {
    return await runImport({ path, scratch, context, terminal, options });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new OperatorError(error.message, { cause: error });
  } finally {
    await Deno.remove(scratch, { recursive: true }).catch(() => {});
  }
}

interface Run {
  readonly path: string;
  readonly scratch: string;
  readonly context: ImportContext;
  readonly terminal: Terminal;
  readonly options: ReturnType<typeof readFileOptions>;
}

async function runImport({ path, scratch, context, terminal, options }: Run): Promise<boolean> {
  const { report, journal, progress, parent } = context;
  progress.begin("read files");
  const source = await openSource(path, scratch);
  try {
    const kind = detectKind(source.files.keys(), source);
    const plan = await planOf(source, kind, {
      ...options,
      scratch,
      report: onceEach(report),
      progress,
    });
    progress.end();
    if (plan.nodes.every((node) => node.kind === "page" && node.content === undefined)) {
      throw new SourceError(`${path} has no Markdown, HTML or table to import`);
    }
    checkTypes(plan, options);
    terminal.write(describePlan(plan));
    if (options.plan) return false;
    confirmPlan(options, terminal);
    rememberSource(journal, { path, source });
    for (const { path, reason } of source.skipped) report.omit(path, `left out, because ${reason}`);
    const into = typeof parent.page_id === "string" ? parent.page_id : undefined;
    await writePlan({ ...context, plan, source, into, timeZone: options.timeZone });
    return true;
  } finally {
    await source.close();
  }
}

/** Content that is written later is read twice, but its losses are reported once. */
function onceEach(report: Report): ReportLoss {
  const told = new Set<string>();
  return ({ where, what }) => {
    const loss = `${where}\0${what}`;
    if (!told.has(loss)) report.alter(where, what);
    told.add(loss);
  };
}

async function planOf(source: Source, kind: SourceKind, options: PlanOptions): Promise<Plan> {
  if (kind !== "notion-html") return await planFolder(source, kind, options);
  const { planHtml } = await import("./plan_html.ts");
  return await planHtml(source, options);
}

/** A type of a column that no table has is a slip that would show only afterwards. */
function checkTypes({ nodes }: Plan, { types }: InferOptions): void {
  const names = nodes.flatMap((node) =>
    node.kind === "database" ? node.columns.map(({ name }) => name) : []
  );
  const unknown = types?.keys().find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const hint = didYouMean(unknown, names) ?? `The columns are ${names.join(", ") || "none"}.`;
  throw new OperatorError(`--types: no table has a column "${unknown}". ${hint}`);
}

/** The keys of a journal mean nothing for another version of the source. */
function rememberSource(
  journal: ImportContext["journal"],
  { path, source }: { readonly path: string; readonly source: Source },
): void {
  const known = journal.get("source");
  if (known === undefined) journal.put("source", source.fingerprint);
  else if (known !== source.fingerprint) {
    throw new SourceError(
      `${path} has changed since its import began. Undo the changes to go on with that import, ` +
        "or delete the journal (PATH.recto-import) to import everything again",
    );
  }
}
