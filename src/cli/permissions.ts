/**
 * The permissions of each command: the narrowest that its settings require.
 *
 * @module
 */
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import {
  type Environment,
  fileVariables,
  readVariables,
  type Settings,
  variableNames,
} from "../config/variables.ts";
import { documentPaths, isDefaultPolicy, POLICY, POLICY_SCHEMA } from "../policy/lint/paths.ts";
import { DEFAULT_SERVER } from "./transfer/connection.ts";
import { partialJournal } from "./transfer/journal.ts";
import { DEFAULT_FOLDER, DEFAULT_SOURCE, NOTION, NOTION_TOKEN } from "./import/notion/defaults.ts";

/** Permissions of a process. Paths are relative to its working directory. */
export interface Permissions {
  /** Everything: nothing less is enough. */
  readonly all?: true;
  /** True for all hosts. */
  readonly net?: boolean | readonly string[];
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly env?: readonly string[];
  readonly run?: readonly string[];
  readonly sys?: readonly string[];
}

/** The paths in the settings. */
export interface ConfiguredPaths {
  readonly data: readonly string[];
  /** Folders of policy files, which the server watches. */
  readonly policy: readonly string[];
  /** Files that are only read. */
  readonly inputs: readonly string[];
  /** Folders of log files. */
  readonly logs: readonly string[];
}

/** Returns the paths in the settings. Invalid settings count as unset. */
export function configuredPaths(environment: Environment): ConfiguredPaths {
  const { settings } = readVariables(environment);
  const candidate = settings.RECTO_POLICY_CANDIDATE;
  const policy = settings.RECTO_POLICY_FILE;
  return {
    data: [settings.RECTO_DATA_DIR ?? ".data", ...sqliteFolder(settings)],
    policy: ["policy", ...[policy, candidate].flatMap((file) => file ? [dirname(file)] : [])],
    inputs: settings.RECTO_AUTH_JWKS_FILE === undefined ? [] : [settings.RECTO_AUTH_JWKS_FILE],
    logs: [settings.RECTO_DECISION_LOG, settings.RECTO_AUDIT_LOG]
      .flatMap((file) => file === undefined || file === "-" ? [] : [dirname(file)]),
  };
}

/** SQLite writes its log next to the database file. */
function sqliteFolder({ DATABASE_URL }: Settings): string[] {
  const path = /^sqlite:(.+)$/.exec(DATABASE_URL ?? "")?.[1];
  return path === undefined ? [] : [dirname(path)];
}

/** Returns the permissions with reading the files of those secrets whose variables may be read. */
export function withSecretFiles(permissions: Permissions, environment: Environment): Permissions {
  const files = fileVariables().filter((name) => permissions.env?.includes(name))
    .flatMap((name) => environment(name) || []);
  return files.length === 0
    ? permissions
    : { ...permissions, read: [...permissions.read ?? [], ...files] };
}

/** Returns the paths that cannot be part of a Deno flag, because it splits lists at commas. */
export function unusablePaths({ read = [], write = [] }: Permissions): string[] {
  return [...new Set([...read, ...write])].filter((path) => path.includes(","));
}

/** Converts permissions to flags of `deno run`. */
export function toFlags({ all, net = false, read, write, env, run, sys }: Permissions): string[] {
  if (all) return ["--allow-all"];
  const list = (kind: string, values: readonly string[] | undefined) =>
    values === undefined || values.length === 0 ? [] : [
      `--allow-${kind}=${[...new Set(values)].join(",")}`,
    ];
  return [
    ...(net === true ? ["--allow-net"] : list("net", net || [])),
    ...list("read", read),
    ...list("write", write),
    ...list("env", env),
    ...list("run", run),
    ...list("sys", sys),
  ];
}

/** The server: its data, the policy, and the API reference. */
export function serverPermissions(environment: Environment): Permissions {
  const { data, policy, inputs, logs } = configuredPaths(environment);
  return {
    net: true,
    read: [...data, "assets", ...policy, "spec", "src", ...inputs, ...logs],
    write: [...data, ...logs],
    env: variableNames(),
    sys: ["setPriority"],
  };
}

/** The gateway: the data folder, and the policies that it decides by, with their approvals. */
export function gatewayPermissions(environment: Environment): Permissions {
  const { data, inputs, logs } = configuredPaths(environment);
  const { settings } = readVariables(environment);
  const policies = (settings.RECTO_GATEWAY_POLICIES ?? "").split(",")
    .flatMap((mount) =>
      mount.includes("=") ? [dirname(mount.slice(mount.indexOf("=") + 1).trim())] : []
    );
  return {
    net: true,
    read: [...data, ...policies, "src", ...inputs, ...logs],
    write: [...data, ...logs],
    env: variableNames(),
  };
}

/** A command that works on the database, wherever it is. */
export function databasePermissions(environment: Environment): Permissions {
  const { data } = configuredPaths(environment);
  return { net: true, read: [...data, "src"], write: data, env: variableNames() };
}

/** The commands on keys: the database, the local issuer's file, and the policy's scopes. */
export function keysPermissions(environment: Environment): Permissions {
  const { read = [], ...others } = databasePermissions(environment);
  return { ...others, read: [...read, ...configuredPaths(environment).policy] };
}

/** A command that works in the data folder alone, and reads the policy. */
export function dataPermissions(environment: Environment): Permissions {
  const { data, policy } = configuredPaths(environment);
  return { read: [...data, ...policy], write: data, env: variableNames() };
}

/** A backup: the data folder and where archives are, and the database and buckets, if any. */
export function backupPermissions(environment: Environment, args: readonly string[]): Permissions {
  const { place, own } = backupArguments(args, ["verify", "key"], "to");
  return archivePermissions(environment, { place, own, program: "pg_dump" });
}

/** The permissions of a backup, and the data folder to restore to. */
export function restorePermissions(environment: Environment, args: readonly string[]): Permissions {
  const { place, own, values } = backupArguments(args, [], "from");
  const { read = [], write = [], ...others } = archivePermissions(environment, {
    place,
    own,
    program: "pg_restore",
  });
  const to = typeof values.to === "string" ? [values.to] : [];
  return { ...others, read: [...read, ...to], write: [...write, ...to] };
}

const BACKUP_OPTIONS = Object.fromEntries(
  ["to", "from", "at", "keep", "key-file"].map((name) => [name, { type: "string" as const }]),
);

function backupArguments(
  args: readonly string[],
  verbs: readonly string[],
  placeOption: "to" | "from",
) {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: BACKUP_OPTIONS,
    strict: false,
  });
  const [archive] = positionals.filter((word) => !verbs.includes(word));
  const named = values[placeOption];
  const keyFile = values["key-file"];
  return {
    values,
    place: archive === undefined
      ? typeof named === "string" ? named : undefined
      : archive.startsWith("s3://")
      ? archive
      : dirname(archive),
    own: typeof keyFile === "string" ? [keyFile] : [],
  };
}

interface ArchiveAccess {
  /** Folder or URL of the archives; by default that of the settings. */
  readonly place: string | undefined;
  /** Files that are only read. */
  readonly own: readonly string[];
  /** Program that works on PostgreSQL. */
  readonly program: string;
}

function archivePermissions(
  environment: Environment,
  { place, own, program }: ArchiveAccess,
): Permissions {
  const { settings } = readVariables(environment);
  const target = place ?? settings.RECTO_BACKUP_TO ?? "backups";
  const isBucket = target.startsWith("s3://");
  const buckets = [
    ...(isBucket ? [target.split("/")[2] ?? ""] : []),
    ...(settings.RECTO_FILES === "s3" ? [settings.RECTO_S3_BUCKET ?? ""] : []),
  ];
  const isServer = /^postgres(?:ql)?:/.test(settings.DATABASE_URL ?? "");
  const { data } = configuredPaths(environment);
  const both = [...data, ...(isBucket ? [] : [target])];
  return {
    net: isServer || buckets.map((bucket) => bucketHost(settings, bucket)),
    read: [...both, "src", ...own],
    write: both,
    env: variableNames(),
    ...(isServer && { run: [program] }),
  };
}

/** Returns host and port of a bucket. */
function bucketHost(settings: Settings, bucket: string): string {
  const region = settings.RECTO_S3_REGION ?? "us-east-1";
  const host = hostOf(settings.RECTO_S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`) ?? "";
  return settings.RECTO_S3_STYLE === "virtual" ? `${bucket}.${host}` : host;
}

/** A file that a command of the policy reads; revisions of git have other names. */
export const POLICY_INPUT = /^[^:-][^:]*\.(?:json|jsonl|ndjson|log|ya?ml)$/;

/** The policy reviewer's tools: their folders, and the files that the command line names. */
export function policyPermissions(_: Environment, args: readonly string[]): Permissions {
  const values = args.map((arg) => arg.replace(/^--[a-z-]+=/, ""));
  const inputs = values.filter((value) => POLICY_INPUT.test(value));
  const named = args.flatMap((arg, index) => {
    if (arg === "--approve" || arg === "--log") return values[index + 1] ?? [];
    return /^--(?:approve|log)=/.test(arg) ? values[index] ?? [] : [];
  }).filter((value) => value !== "-");
  const pages = values.filter((value) => value.endsWith(".html"));
  const formatted = args[0] === "fmt" ? inputs : [];
  const documents = args[0] === "check"
    ? inputs.flatMap((input) => Object.values(documentPaths(input)))
    : [];
  const written = args.flatMap((arg, index) => {
    if (arg === "--out") return args[index + 1] ?? [];
    return arg.startsWith("--out=") ? arg.slice("--out=".length) : [];
  });
  return {
    read: ["policy", "spec", ...inputs, ...documents, ...named],
    write: ["policy", ...pages, ...formatted, ...written],
    run: ["git"],
  };
}

/** The generator of the OpenAPI document: the policy in, its document out. */
export function specPermissions(environment: Environment): Permissions {
  const { policy } = configuredPaths(environment);
  const policyFile = readVariables(environment).settings.RECTO_POLICY_FILE ?? POLICY;
  const write = [
    ...Object.values(documentPaths(policyFile)),
    ...isDefaultPolicy(policyFile) ? [POLICY_SCHEMA] : [],
  ];
  return { read: [...policy, "spec"], write, env: variableNames(), run: ["git"] };
}

/** The benchmark of search: a service with a temporary database, and collections of texts. */
export function searchPermissions(environment: Environment, args: readonly string[]): Permissions {
  const scratch = environment("TMPDIR") || "/tmp";
  const collections = args.filter((argument) => !argument.startsWith("-"));
  return {
    read: ["assets", "policy", "spec", "src", scratch, ...collections],
    write: [scratch],
    env: ["TMPDIR"],
  };
}

/** A command that calls the API of a server: that host alone, and the one that stores its files. */
export function exportPermissions(environment: Environment, args: readonly string[]): Permissions {
  const { positionals: [folder = "."], ...call } = callOf(environment, args);
  return { net: call.hosts, read: [folder], write: [folder], env: CALL_VARIABLES };
}

/** The permissions of an export, and the source with the journal next to it. */
export function importPermissions(environment: Environment, args: readonly string[]): Permissions {
  const { positionals: [source = "."], journal, users, hosts } = callOf(environment, args);
  if (source === NOTION) return mirrorPermissions(environment, args);
  const journals = journalFiles(journal ?? `${source.replace(/\/+$/, "")}.recto-import`);
  // Parts of an archive are looked for beside one another, and unpacked into a folder.
  const parts = /-Part-\d+\.zip$/i.test(source) ? [dirname(source)] : [];
  const scratch = `${source.replace(/\/+$/, "")}.recto-import.tmp`;
  const write = [...journals, scratch];
  return { net: hosts, read: [source, ...parts, ...users, ...write], write, env: CALL_VARIABLES };
}

function journalFiles(journal: string): string[] {
  return [journal, partialJournal(journal)];
}

/** Hosts of the files of Notion. */
const NOTION_FILES = ["prod-files-secure.s3", "s3", "prod-files"]
  .map((bucket) => `${bucket}.us-west-2.amazonaws.com:443`);

/** The permissions of an import, the source with its files, and the folder of the mirror. */
function mirrorPermissions(environment: Environment, args: readonly string[]): Permissions {
  const { values } = parseArgs({ args: [...args], options: OPTIONS_WITH_VALUES, strict: false });
  const { journal, users, hosts } = callOf(environment, args);
  const { folder, "from-url": url } = values;
  const paths = [typeof folder === "string" ? folder : DEFAULT_FOLDER]
    .concat(journal === undefined ? [] : journalFiles(journal));
  const source = hostOf(typeof url === "string" ? url : DEFAULT_SOURCE);
  return {
    net: [...hosts, ...source === undefined ? [] : [source], ...NOTION_FILES],
    read: [...paths, ...users],
    write: paths,
    env: [...CALL_VARIABLES, NOTION_TOKEN],
  };
}

/** Options of exports and imports with a value, so that it is not taken for the folder. */
export const TRANSFER_VALUES: readonly string[] = [
  ...["server", "parallel", "files-host", "parent", "journal", "format", "root", "since", "users"],
  ...["types", "dates", "decimals", "encoding", "time-zone"],
  ...["from-token", "from-url", "folder", "comments", "rate"],
];
const OPTIONS_WITH_VALUES = Object.fromEntries(
  TRANSFER_VALUES.map((name) => [name, { type: "string" as const }]),
);

const CALL_VARIABLES = ["RECTO_SERVER", "RECTO_TOKEN", "RECTO_TOKEN_FILE"];

interface CallArguments {
  /** Hosts with ports. */
  readonly hosts: readonly string[];
  readonly positionals: readonly string[];
  readonly journal: string | undefined;
  readonly users: readonly string[];
}

function callOf(environment: Environment, args: readonly string[]): CallArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: OPTIONS_WITH_VALUES,
    strict: false,
  });
  const { server } = values;
  const url = typeof server === "string" ? server : environment("RECTO_SERVER") || DEFAULT_SERVER;
  const stored = values["files-host"];
  const hosts = [hostOf(url), typeof stored === "string" ? stored : undefined];
  return {
    hosts: hosts.filter((host) => host !== undefined),
    positionals,
    journal: typeof values.journal === "string" ? values.journal : undefined,
    users: typeof values.users === "string" ? [values.users] : [],
  };
}

/** Returns host and port; undefined for what the command will refuse. */
function hostOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || url.host === "") return undefined;
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? 443 : 80)}`;
}
