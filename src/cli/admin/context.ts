/**
 * The context of the commands on users, workspaces and the trash.
 *
 * @module
 */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { loadDatabase } from "../../app/database.ts";
import { type Config, type Environment, readConfig } from "../../config/config.ts";
import type { Rest } from "../../maintenance/slices.ts";
import { UNDIVIDED } from "../../search/vectors/page_vectors.ts";
import { didYouMean } from "../../shared/did_you_mean.ts";
import { AppError } from "../../shared/errors.ts";
import type { Database } from "../../store/database.ts";
import { OperatorError } from "../../store/operator_error.ts";
import type { Store } from "../../store/port.ts";
import { exists } from "../../store/sqlite/file.ts";
import { type CommandResult, failure } from "../command.ts";
import { asksForHelp, unknownOption, UsageError } from "../options.ts";

/** The arguments, environment and output of a command. */
export interface AdminContext {
  readonly environment: Environment;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Asks a question and returns the answer; undefined if nobody can answer. */
  readonly ask: (question: string) => Promise<string | undefined>;
}

/** The database and files that a command has opened. */
export interface Opened {
  readonly store: Store;
  readonly database: Database;
  readonly config: Config;
  readonly rest: Rest;
}

/** Options that each command has. */
export const COMMON = { help: { type: "boolean" } } as const;
/** Options of commands that destroy. */
export const DESTROYING = {
  ...COMMON,
  "dry-run": { type: "boolean" },
  yes: { type: "boolean" },
} as const;

/** Runs work on the store of the environment, whether a server uses it or not. */
export async function onStore<T>(
  { environment }: AdminContext,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const config = readConfig(environment);
  if (config.database.kind === "sqlite" && !await exists(config.database.path)) {
    throw new OperatorError(
      `No such database: ${config.database.path}. RECTO_DATA_DIR names its folder`,
    );
  }
  const database = await loadDatabase(config.database);
  // To open the store would change the schema under an older server.
  if ((await database.planMigrations()).length > 0) {
    throw new OperatorError(
      "The schema is older than this release: run `recto migrate` first",
    );
  }
  const store = patient(await database.openStore({ mostScanned: UNDIVIDED }));
  try {
    return await work({ store, database, config, rest });
  } finally {
    await store.close();
  }
}

/** Attempts of a write while the server makes a long one, a quarter of a second each at least. */
const ATTEMPTS = 240;

/** Tries again while the server writes. */
function patient(store: Store): Store {
  const methods = Object.entries(store).map(([name, method]: [string, unknown]) => [
    name,
    typeof method === "function" && name !== "close"
      ? (...args: unknown[]) => insist(() => Reflect.apply(method, undefined, args))
      : method,
  ]);
  // Sound because every method is there and does what the one that it calls does.
  return Object.fromEntries(methods) as Store;
}

async function insist(work: () => unknown): Promise<unknown> {
  for (let attempt = 1;; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof AppError && error.code === "service_unavailable";
      if (!isBusy || attempt === ATTEMPTS) throw error;
      await rest(100);
    }
  }
}

/** Shortest and longest rest in milliseconds: a writer of another process looks every few. */
const [SHORTEST, LONGEST] = [10, 500];

/** Rests longer than the slice took, so that the server gets the lock. */
function rest(took: number): Promise<void> {
  const delay = Math.min(Math.max(1.5 * took, SHORTEST), LONGEST);
  return new Promise((resolve) => setTimeout(resolve, delay));
}

/** A form of a command: `users list`. */
export interface Verb {
  run(args: readonly string[], context: AdminContext): Promise<CommandResult>;
}

/** Runs the verb that the arguments name. */
export async function runVerb(
  { name, usage, verbs }: {
    readonly name: string;
    readonly usage: string;
    readonly verbs: Readonly<Record<string, Verb["run"]>>;
  },
  [verb, ...args]: readonly string[],
  context: AdminContext,
): Promise<CommandResult> {
  if (asksForHelp([verb ?? "", ...args])) return { code: 0, stdout: usage, stderr: "" };
  const run = verb === undefined || !Object.hasOwn(verbs, verb) ? undefined : verbs[verb];
  if (run === undefined) {
    return failure(2, `${describeVerb(name, verb, Object.keys(verbs))}\n\n${usage}`);
  }
  try {
    return await run(args, context);
  } catch (error) {
    if (error instanceof UsageError) return failure(2, `${error.message}\n\n${usage}`);
    throw error;
  }
}

function describeVerb(name: string, verb: string | undefined, verbs: readonly string[]): string {
  if (verb?.startsWith("-")) return unknownOption(verb, []);
  const hint = didYouMean(verb ?? "", verbs);
  const what = verb === undefined ? "Say what to do" : `Unknown: ${name} ${verb}`;
  return `${what}. ${hint ?? ""}`;
}

export { UsageError };

/** Parses options and exactly so many words; throws `UsageError`. */
export function parse<Options extends NonNullable<ParseArgsConfig["options"]>>(
  args: readonly string[],
  options: Options,
  words: { readonly least: number; readonly most: number },
) {
  const parsed = attemptParse(args, options);
  const { positionals } = parsed;
  if (positionals.length < words.least) throw new UsageError("An argument is missing");
  if (positionals.length > words.most) {
    throw new UsageError(`Unexpected argument: ${positionals[words.most]}`);
  }
  return parsed;
}

function attemptParse<Options extends NonNullable<ParseArgsConfig["options"]>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, unknown] = /^Unknown option '(-{1,2}[^' ]+)/.exec(message) ?? [];
    throw new UsageError(
      unknown === undefined ? message : unknownOption(unknown, Object.keys(options)),
    );
  }
}

/** A description of the content that is about to be destroyed. */
export interface Destruction {
  /** One line for each thing, and what follows from it. */
  readonly plan: string;
  /** Must be typed to confirm. */
  readonly word: string;
  readonly isDry: boolean;
  readonly isSure: boolean;
  destroy(): Promise<string>;
}

/** Shows the plan, asks unless `--yes` is set, and destroys; `--dry-run` only shows the plan. */
export async function confirmAndDestroy(
  { plan, word, isDry, isSure, destroy }: Destruction,
  { ask }: Pick<AdminContext, "ask">,
): Promise<CommandResult> {
  if (isDry) {
    return { code: 0, stdout: `${plan}Nothing was changed (--dry-run)\n`, stderr: "" };
  }
  const answer = isSure ? word : await ask(`${plan}Type ${word} to continue: `);
  if (answer === undefined) {
    return failure(1, `${plan}Nothing was changed: add --yes to do it without a question\n`);
  }
  if (answer.trim() !== word) {
    return failure(1, `Nothing was changed: the answer was not ${word}\n`);
  }
  return { code: 0, stdout: await destroy(), stderr: "" };
}

/** Lines of columns as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0))
  );
  return rows.map((row) =>
    `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()}\n`
  ).join("");
}

/** A time for people, to the second. */
export function timeOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Text from outside, without control characters that a terminal would obey, and cut. */
export function shown(text: string | null): string {
  const plain = (text ?? "-").replace(/[\p{Cc}\p{Cf}]+/gu, " ");
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain;
}

/** Bytes for people. */
export function bytesOf(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let [value, unit] = [bytes, 0];
  for (; value >= 1_000 && unit < units.length - 1; unit++) value /= 1_000;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** Asks on the terminal; undefined if standard input is none. */
export function askTerminal(question: string): Promise<string | undefined> {
  if (!Deno.stdin.isTerminal()) return Promise.resolve(undefined);
  return Promise.resolve(prompt(question) ?? "");
}
