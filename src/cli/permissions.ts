/**
 * What each command may do: the narrowest permissions that its settings need.
 *
 * @module
 */
import { dirname } from "node:path";
import {
  type Environment,
  readVariables,
  type Settings,
  variableNames,
} from "../config/variables.ts";

/** What a process may do; paths relative to the folder that it runs in. */
export interface Permissions {
  readonly net?: boolean;
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly env?: readonly string[];
  readonly run?: readonly string[];
}

/** The places that the settings name. */
export interface Places {
  readonly data: readonly string[];
  /** Files of the policy, in folders that may be watched. */
  readonly policy: readonly string[];
  /** Files that are only read. */
  readonly inputs: readonly string[];
  /** Folders that are appended to. */
  readonly logs: readonly string[];
}

/** Finds the places that the environment names; a setting that is wrong counts as not set. */
export function placesOf(environment: Environment): Places {
  const { settings } = readVariables(environment);
  const candidate = settings.RECTO_POLICY_CANDIDATE;
  const policy = settings.RECTO_POLICY_FILE;
  return {
    data: [settings.RECTO_DATA_DIR ?? ".data", ...sqliteFolder(settings)],
    policy: ["policy", ...[policy, candidate].flatMap((file) => file ? [dirname(file)] : [])],
    inputs: settings.RECTO_AUTH_JWKS_FILE === undefined ? [] : [settings.RECTO_AUTH_JWKS_FILE],
    logs: settings.RECTO_DECISION_LOG === undefined ? [] : [dirname(settings.RECTO_DECISION_LOG)],
  };
}

/** SQLite puts its log beside the database file. */
function sqliteFolder({ DATABASE_URL }: Settings): string[] {
  const path = /^sqlite:(.+)$/.exec(DATABASE_URL ?? "")?.[1];
  return path === undefined ? [] : [dirname(path)];
}

/** Of these paths those that no flag of Deno can hold: it divides lists at commas. */
export function unusablePaths({ read = [], write = [] }: Permissions): string[] {
  return [...new Set([...read, ...write])].filter((path) => path.includes(","));
}

/** The permissions as flags of `deno run`. */
export function toFlags({ net = false, read, write, env, run }: Permissions): string[] {
  const list = (kind: string, values: readonly string[] | undefined) =>
    // Deno divides at a comma and takes two for one.
    values === undefined || values.length === 0 ? [] : [
      `--allow-${kind}=${[...new Set(values)].join(",")}`,
    ];
  return [
    ...(net ? ["--allow-net"] : []),
    ...list("read", read),
    ...list("write", write),
    ...list("env", env),
    ...list("run", run),
  ];
}

/** The server: its data, the policy, and the API reference. */
export function serverPermissions(environment: Environment): Permissions {
  const { data, policy, inputs, logs } = placesOf(environment);
  return {
    net: true,
    read: [...data, "assets", ...policy, "spec", "src", ...inputs, ...logs],
    write: [...data, ...logs],
    env: variableNames(),
  };
}

/** A command that works on the database, wherever it is. */
export function databasePermissions(environment: Environment): Permissions {
  const { data } = placesOf(environment);
  return { net: true, read: [...data, "src"], write: data, env: variableNames() };
}

/** A command that works in the data folder alone. */
export function dataPermissions(environment: Environment): Permissions {
  const { data } = placesOf(environment);
  return { read: data, write: data, env: variableNames() };
}

/** A command that copies between the data folder and the files that are named. */
export function backupPermissions(
  environment: Environment,
  files: readonly string[],
): Permissions {
  const { data } = placesOf(environment);
  const folders = files.filter((file) => !file.startsWith("-")).map((file) => dirname(file));
  const both = [...data, "backups", ...folders];
  return { read: both, write: both, env: variableNames() };
}

/** The generator of the OpenAPI document: the policy in, `spec/` out. */
export function specPermissions(environment: Environment): Permissions {
  const { policy } = placesOf(environment);
  return { read: [...policy, "spec"], write: ["spec"], env: variableNames(), run: ["git"] };
}
