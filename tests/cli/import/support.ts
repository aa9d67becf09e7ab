/**
 * Runs imports against the real handler, and counts what is there afterwards.
 *
 * @module
 */
import { strToU8, zipSync } from "fflate";
import { importFiles } from "../../../src/cli/import/files.ts";
import { createApiClient } from "../../../src/cli/transfer/api_client.ts";
import { openJournal } from "../../../src/cli/transfer/journal.ts";
import { NO_PROGRESS } from "../../../src/cli/transfer/progress.ts";
import { createReport, type Report } from "../../../src/cli/transfer/report.ts";
import { ORIGIN, type TestApp, withApp } from "../../support/app.ts";

export type Files = Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;

/** The smallest picture, made different by its number. */
export function picture(number: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, number]);
}

/** A 32-digit ID as the vendor's exports have them. */
export function digits(number: number): string {
  return number.toString(16).padStart(2, "0").repeat(16);
}

export function zipOf(files: Files): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(files).map(([path, content]) =>
    [path, typeof content === "string" ? strToU8(content) : content] as const
  );
  return new Uint8Array(zipSync(Object.fromEntries(entries)));
}

export interface Bench {
  readonly app: TestApp;
  readonly folder: string;
  /** Writes files below the folder. */
  write(files: Files): Promise<void>;
  /** Imports a path inside the folder. */
  run(path: string, options?: RunOptions): Promise<Ran>;
}

export interface RunOptions {
  readonly options?: Readonly<Record<string, string | boolean>>;
  /** Sends a request in place of the handler. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

export interface Ran {
  readonly report: Report;
  /** The text that was shown before anything was written. */
  readonly shown: string;
  readonly requests: number;
}

/** Runs a test with an app and an empty folder. */
export async function withImports(test: (bench: Bench) => Promise<void>): Promise<void> {
  await withApp(async (app) => {
    const folder = await Deno.makeTempDir({ prefix: "recto-import-" });
    try {
      await test({
        app,
        folder,
        write: (files) => writeFiles(folder, files),
        run: (path, options) => run(app, `${folder}/${path}`, options),
      });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = `${folder}/${path}`;
    await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    await Deno.writeFile(file, typeof content === "string" ? strToU8(content) : content);
  }
}

async function run(
  app: TestApp,
  path: string,
  { options = {}, fetch = (request) => Promise.resolve(app.send(request)) }: RunOptions = {},
): Promise<Ran> {
  const journal = openJournal(`${path}.recto-import`, { server: ORIGIN, user: "test" });
  const token = await app.mint();
  const api = createApiClient({ server: ORIGIN, token, fetch, sleep: () => Promise.resolve() });
  const report = createReport();
  let shown = "";
  const context = { api, journal, report, progress: NO_PROGRESS, parent: { workspace: true } };
  try {
    await importFiles(path, { ...context, options: { yes: true, ...options } }, {
      write: (text) => void (shown += text),
      confirm: undefined,
    });
  } finally {
    journal.close();
  }
  return { report, shown, requests: api.requests() };
}

/** Everything in the workspace, as lines: one for each block and row, indented. */
export async function outline(app: TestApp): Promise<string> {
  const { json } = await app.call("POST /v2/search", { body: {} });
  const tops = json.results.filter(({ parent }: { parent: { type: string } }) =>
    parent.type === "workspace"
  );
  const lines: string[] = [];
  for (const top of tops) {
    lines.push(`page ${titleOf(top)}`, ...await below(app, top.id, "  "));
  }
  return lines.join("\n");
}

// deno-lint-ignore no-explicit-any -- a test reads into answers freely
type Answered = any;

function titleOf(page: Answered): string {
  const title: Answered = Object.values(page.properties).find((one: Answered) =>
    one.type === "title"
  );
  return textOf(title.title);
}

function textOf(text: Answered): string {
  return text.map((item: Answered) => {
    if (item.type === "mention") return `@${item.plain_text}`;
    return item.href === null ? item.plain_text : `${item.plain_text}<link>`;
  }).join("");
}

async function below(app: TestApp, id: string, indent: string): Promise<string[]> {
  const lines: string[] = [];
  for (let cursor = ""; cursor !== "end";) {
    const { json } = await app.call(`GET /v2/blocks/${id}/children${cursor}`);
    for (const block of json.results) lines.push(...await linesOf(app, block, indent));
    cursor = json.next_cursor === null ? "end" : `?start_cursor=${json.next_cursor}`;
  }
  return lines;
}

async function linesOf(app: TestApp, block: Answered, indent: string): Promise<string[]> {
  const value = block[block.type];
  if (block.type === "child_database") return await databaseLines(app, block, indent);
  const text = value.title ?? textOf(value.rich_text ?? value.caption ?? []);
  const cells = value.cells?.map(textOf).join(" | ") ?? "";
  const line = `${indent}${block.type} ${text}${cells}`.trimEnd();
  return [line, ...block.has_children ? await below(app, block.id, `${indent}  `) : []];
}

async function databaseLines(app: TestApp, block: Answered, indent: string): Promise<string[]> {
  const { json: database } = await app.call(`GET /v2/databases/${block.id}`);
  const columns = Object.values(database.properties).map((one: Answered) =>
    `${one.name}:${one.type}`
  );
  const lines = [`${indent}database ${block.child_database.title} (${columns.sort().join(", ")})`];
  const { json } = await app.call(`POST /v2/databases/${block.id}/query`, { body: {} });
  const rows = json.results.toSorted((a: Answered, b: Answered) =>
    titleOf(a) < titleOf(b) ? -1 : 1
  );
  for (const row of rows) {
    const values = Object.entries(row.properties).flatMap(
      ([name, property]: [string, Answered]) => {
        const value = shownValue(property[property.type]);
        return value === "" || property.type === "title" ? [] : [`${name}=${value}`];
      },
    );
    lines.push(`${indent}  row ${[titleOf(row), ...values.sort()].join("; ")}`);
    lines.push(...await below(app, row.id, `${indent}    `));
  }
  return lines;
}

function shownValue(value: Answered): string {
  if (value === null || value === false) return "";
  if (Array.isArray(value)) {
    return value.map((one) => one.plain_text ?? one.name ?? "row").join(",");
  }
  if (typeof value !== "object") return String(value);
  return value.name ?? [value.start, value.end].filter((one) => one !== null).join("/");
}
