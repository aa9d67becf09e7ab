/**
 * `recto COMMAND`: runs each command in its own process, with only the permissions that its settings
 * require. The tasks of `deno.json` are shortcuts.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import config from "../../deno.json" with { type: "json" };
import { ALLOCATION, DENO_FLAGS, MEMBER, MEMBER_FLAGS, processesOf } from "../config/processes.ts";
import { telemetryVariables } from "../config/telemetry.ts";
import { fileVariables, readVariables, unknownVariables, VARIABLES } from "../config/variables.ts";
import { SCHEDULED } from "../config/backup_schedule.ts";
import { didYouMean } from "../shared/did_you_mean.ts";
import { backupKeyIssue, scheduleBackups } from "./backup/scheduled_backups.ts";
import { EnvFileError, readEnvFiles, takeEnvFiles, withDatabaseUrl } from "./env_file.ts";
import { type CommandResult, conclude, failure } from "./result.ts";
import { runCommandLine } from "./options.ts";
import { NOTION } from "./import/notion/defaults.ts";
import { type PathArguments, resolvePaths } from "./argument_paths.ts";
import {
  backupPermissions,
  databasePermissions,
  dataPermissions,
  exportPermissions,
  gatewayPermissions,
  importPermissions,
  keysPermissions,
  type Permissions,
  POLICY_INPUT,
  policyPermissions,
  restorePermissions,
  searchPermissions,
  serverPermissions,
  specPermissions,
  toFlags,
  TRANSFER_VALUES,
  unusablePaths,
  withSecretFiles,
} from "./permissions.ts";

type Environment = Readonly<Record<string, string>>;

interface Command {
  readonly summary: string;
  /** URL of the module that Deno runs. */
  readonly module: string;
  readonly permissions: (
    get: (name: string) => string | undefined,
    args: readonly string[],
  ) => Permissions;
  /** Additional flags of `deno run`. */
  readonly flags?: readonly string[];
  /** The arguments that are paths, beside which others are numbers, names or times. */
  readonly paths?: PathArguments;
  /** Usage of a command that takes no arguments, and does not look at any. */
  readonly usage?: string;
}

function server(name: string): Pick<Command, "module" | "permissions" | "usage"> {
  const usage = `Usage: recto ${name}

Serves the API at HOST and PORT, with the database and the files in RECTO_DATA_DIR.
\`recto --help\` lists all settings.
`;
  return { module: import.meta.resolve("../../main.ts"), permissions: serverPermissions, usage };
}

export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: { summary: "Serve the API", ...server("serve") },
  dev: {
    summary: "Serve the API, and restart when the code changes",
    ...server("dev"),
    flags: ["--watch"],
  },
  gateway: {
    summary: "Decide for a proxy whether requests to other services are allowed",
    module: import.meta.resolve("./gateway.ts"),
    permissions: gatewayPermissions,
  },
  token: {
    summary: "Mint an access token of the local issuer",
    module: import.meta.resolve("./token.ts"),
    permissions: dataPermissions,
  },
  keys: {
    summary: "Create, list, rotate and revoke API keys and the local issuer's keys",
    module: import.meta.resolve("./keys.ts"),
    permissions: keysPermissions,
  },
  migrate: {
    summary: "Bring the database schema up to date, or show what would run",
    module: import.meta.resolve("./migrate.ts"),
    permissions: databasePermissions,
  },
  verify: {
    summary: "Look for damage in the database and the files, also while the server runs",
    module: import.meta.resolve("./verify.ts"),
    permissions: databasePermissions,
  },
  users: {
    summary: "List, show and erase users, also while the server runs",
    module: import.meta.resolve("./users.ts"),
    permissions: databasePermissions,
  },
  workspaces: {
    summary: "List, measure and delete workspaces, also while the server runs",
    module: import.meta.resolve("./workspaces.ts"),
    permissions: databasePermissions,
  },
  trash: {
    summary: "List the trash and delete from it for good, also while the server runs",
    module: import.meta.resolve("./trash.ts"),
    permissions: databasePermissions,
  },
  vacuum: {
    summary: "Give the space of deleted rows back",
    module: import.meta.resolve("./vacuum.ts"),
    // VACUUM attaches a database of its own, which Deno lets nobody do who lacks any permission.
    permissions: () => ({ all: true }),
  },
  copy: {
    summary: "Copy all content from one database to another",
    module: import.meta.resolve("./copy.ts"),
    permissions: databasePermissions,
  },
  backup: {
    summary: "Write database, files and keys to one archive, also while the server runs",
    module: import.meta.resolve("./backup.ts"),
    permissions: backupPermissions,
    paths: {
      words: true,
      except: ["verify", "key"],
      options: ["to", "key-file"],
      values: ["keep"],
    },
  },
  restore: {
    summary: "Put a backup in place of what is stored, or list the backups",
    module: import.meta.resolve("./restore.ts"),
    permissions: restorePermissions,
    paths: { words: true, options: ["to", "from", "key-file"], values: ["at"] },
  },
  export: {
    summary: "Write a workspace to a folder, as Markdown and CSV or as JSON lines",
    module: import.meta.resolve("./export.ts"),
    permissions: exportPermissions,
    paths: { words: true, options: [], values: TRANSFER_VALUES },
  },
  import: {
    summary: "Bring content from a folder or file into a workspace",
    module: import.meta.resolve("./import.ts"),
    permissions: importPermissions,
    paths: {
      words: true,
      except: [NOTION],
      options: ["journal", "users", "folder"],
      values: TRANSFER_VALUES,
    },
  },
  policy: {
    summary: "Review the policy: check, diff, test, explain, page and others",
    module: import.meta.resolve("./policy.ts"),
    permissions: policyPermissions,
    paths: { words: POLICY_INPUT, options: ["approve", "log", "out"] },
  },
  spec: {
    summary: "Write the OpenAPI document to spec/, or show what changes for clients",
    module: import.meta.resolve("./spec.ts"),
    permissions: specPermissions,
  },
  search: {
    summary: "Measure search with test collections",
    module: import.meta.resolve("../../tests/search_eval/main.ts"),
    permissions: searchPermissions,
    // It compares with other engines, which only tests have.
    flags: ["--config", "tests/deno.json"],
    paths: { words: true, except: ["eval", "known"], options: [] },
  },
};

/** The command line is wrong. */
class UsageError extends Error {}

const WIDTH = 12;

/** Returns the help text: all commands and settings. */
export function help(): string {
  const commands = Object.entries(COMMANDS)
    .map(([name, { summary }]) => `  ${name.padEnd(WIDTH)}${summary}\n`);
  const settings = Object.entries(VARIABLES).map(([name, { fallback, meaning }]) =>
    `  ${name}\n      ${plain(meaning)} (default: ${plain(fallback)})\n`
  );
  return `Recto ${config.version}

Usage: recto COMMAND [OPTIONS]
       deno task recto COMMAND [OPTIONS], in a clone without an installed \`recto\`

Commands:
${commands.join("")}
  Run recto COMMAND --help for details.

  --env-file=PATH  read settings from a file, NAME=VALUE on each line, with quotes around values
                   that contain # or spaces; the environment overrides them

Settings, from the environment:
${settings.join("")}
Instead of a secret, NAME_FILE can name the file that holds it: ${fileVariables().join(", ")}
`;
}

function plain(markdown: string): string {
  return markdown.replaceAll("`", "");
}

/** Returns the error in a command line, with a suggestion; undefined if there is none. */
export function usageIssue(
  name: string | undefined,
  variables: Iterable<string>,
): string | undefined {
  if (name === undefined || !Object.hasOwn(COMMANDS, name)) {
    const hint = didYouMean(name ?? "", Object.keys(COMMANDS)) ??
      "`recto --help` lists all commands.";
    return name === undefined
      ? "Missing command: `recto --help` lists all commands."
      : `Unknown command ${name}: ${hint}`;
  }
  const unknown = unknownVariables(variables);
  return unknown.length === 0
    ? undefined
    : `Cannot start:\n${unknown.map((one) => `  - ${one}`).join("\n")}`;
}

/** Returns the arguments of the Deno process for a command; throws if a path cannot be used. */
export function denoArguments(
  name: string,
  args: readonly string[],
  environment: Environment,
): string[] {
  const command = COMMANDS[name];
  if (command === undefined) throw new Error(`No command ${name}`);
  const known = withDatabaseUrl(environment);
  const permissions = withSecretFiles(
    command.permissions((variable) => known[variable], args),
    (variable) => environment[variable],
  );
  const unusable = unusablePaths(permissions);
  if (unusable.length > 0) {
    throw new UsageError(`Paths must not contain a comma: ${unusable.join(" ")}`);
  }
  const flags = [...DENO_FLAGS, ...command.flags ?? [], ...toFlags(permissions)];
  return ["run", "--quiet", "--no-prompt", ...flags, command.module, ...args];
}

/**
 * Returns the arguments of the Deno process for `serve`: the server, or the parent of several. The
 * parent may run Deno, which is at `deno`, and read the environment to pass it on.
 */
export function serveArguments(
  args: readonly string[],
  environment: Environment,
  deno: string,
): string[] {
  const { settings } = readVariables((name) => environment[name]);
  const isScheduled = settings.RECTO_BACKUP_SCHEDULE !== undefined;
  const server = denoArguments("serve", args, environment);
  const processes = processesOf(settings);
  if (processes === 1) return isScheduled ? [...server, SCHEDULED] : server;
  if (deno.includes(",")) throw new UsageError(`Path of Deno must not contain a comma: ${deno}`);
  const [run = "", ...member] = server;
  return [
    ...["run", "--quiet", "--no-prompt", "--allow-env", `--allow-run=${deno}`],
    ...[import.meta.resolve("./processes.ts"), String(processes)],
    ...[run, ...MEMBER_FLAGS, ...member, MEMBER],
  ];
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** The checkout, or what was built: settings such as `.data` are relative to it wherever `recto` is called. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/**
 * Milliseconds in which a command ends after a signal; beyond, it is killed. Deno 2.9 may hang at its
 * exit while it exports metrics.
 */
const STOP_TIME = 40_000;

/** Commands that serve: what Deno exports of them must hold no URL. */
const SERVERS = new Set(["serve", "dev", "gateway"]);

/** Returns the environment of a command. */
export function environmentOf(name: string, environment: Environment): Environment {
  const get = (variable: string) => environment[variable];
  return SERVERS.has(name)
    ? { ...ALLOCATION, ...environment, ...telemetryVariables(get) }
    : environment;
}

/** Runs Deno in the checkout and passes signals on; resolves to its exit code. */
async function runDeno(args: readonly string[], env: Environment): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), { args: [...args], cwd: ROOT, env }).spawn();
  for (const signal of SIGNALS) {
    Deno.addSignalListener(signal, () => {
      child.kill(signal);
      if (signal !== "SIGHUP") setTimeout(() => child.kill("SIGKILL"), STOP_TIME);
    });
  }
  return (await child.status).code;
}

async function main(commandLine: readonly string[]): Promise<number> {
  try {
    const { files, args } = takeEnvFiles(commandLine);
    return await run(args, { ...readEnvFiles(files), ...Deno.env.toObject() });
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof EnvFileError)) throw error;
    return print(Deno.stderr, `${error.message}\n`, 2);
  }
}

async function run([name, ...given]: readonly string[], environment: Environment): Promise<number> {
  if (name === "--help" || name === "-h") return print(Deno.stdout, help(), 0);
  if (name === "--version" || name === "-V") return print(Deno.stdout, `${config.version}\n`, 0);
  const issue = usageIssue(name, Object.keys(environment));
  if (issue !== undefined || name === undefined) return print(Deno.stderr, `${issue}\n`, 2);
  const folder = Deno.cwd();
  const args = folder === ROOT ? given : resolvePaths(given, COMMANDS[name]?.paths, folder);
  const refused = await refuseArguments(COMMANDS[name]?.usage, args);
  if (refused !== undefined) {
    await conclude(refused);
    return refused.code;
  }
  if (name !== "serve") {
    return await runDeno(denoArguments(name, args, environment), environmentOf(name, environment));
  }
  const keyIssue = await backupKeyIssue(environment);
  if (keyIssue !== undefined) return print(Deno.stderr, `Cannot start:\n  - ${keyIssue}\n`, 1);
  const scheduler = scheduleBackups(environment, {
    args: () => denoArguments("backup", [], environment),
    folder: ROOT,
  });
  const code = await runDeno(
    serveArguments(args, environment, Deno.execPath()),
    environmentOf(name, environment),
  );
  await scheduler?.stop();
  return code;
}

/** Returns the result of a command with arguments that takes none. */
function refuseArguments(
  usage: string | undefined,
  args: readonly string[],
): Promise<CommandResult> | undefined {
  if (usage === undefined || args.length === 0) return undefined;
  return runCommandLine({ usage, values: [] }, args, () => Promise.resolve(failure(2, usage)));
}

function print(to: Pick<typeof Deno.stdout, "writeSync">, text: string, code: number): number {
  to.writeSync(new TextEncoder().encode(text));
  return code;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
