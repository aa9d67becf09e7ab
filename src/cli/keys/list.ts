/**
 * `keys list`: lists API keys.
 *
 * @module
 */
import { apiKeyPseudonym } from "../../auth/api_keys.ts";
import type { ApiKey } from "../../store/port.ts";
import type { CommandResult } from "../command.ts";
import { readOptions, UsageError } from "../options.ts";
import { assertDatabase, assertNoPositionals, type KeysContext, onKeys } from "./context.ts";
import { describeTime } from "./times.ts";

const FORMATS = ["text", "json"];
const HEADER = ["ID", "NAME", "WORKSPACE", "STATE", "CREATED", "EXPIRES", "LAST USED", "SCOPES"];

/** Lists the keys of all workspaces, or of one. */
export async function list(
  args: readonly string[],
  context: KeysContext,
): Promise<CommandResult> {
  const options = readOptions(args, { values: ["workspace", "format"] });
  assertNoPositionals(options);
  const format = options.values.get("format") ?? "text";
  if (!FORMATS.includes(format)) throw new UsageError(`--format must be text or json: "${format}"`);
  await assertDatabase(context);
  const workspace = options.values.get("workspace");
  const keys = (await onKeys(context, (store) => store.apiKeys()))
    .filter((key) => workspace === undefined || key.workspace === workspace);
  const stdout = format === "json" ? describeAsJson(keys, context.now) : table(keys, context.now);
  return { code: 0, stdout, stderr: "" };
}

function stateOf({ revokedTime, expiresTime }: ApiKey, now: number): string {
  if (revokedTime !== null) return "revoked";
  return expiresTime !== null && expiresTime <= now ? "expired" : "active";
}

function table(keys: readonly ApiKey[], now: number): string {
  if (keys.length === 0) return "There are no API keys\n";
  const rows = [HEADER, ...keys.map((key) => toRow(key, now))];
  const widths = HEADER.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0))
  );
  const lines = rows.map((row) =>
    row.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  ").trimEnd()
  );
  return `${lines.join("\n")}\n`;
}

function toRow(key: ApiKey, now: number): string[] {
  const { id, name, workspace, createdTime, expiresTime, usedTime, scopes } = key;
  return [
    ...[id, name, workspace, stateOf(key, now), describeTime(createdTime)],
    expiresTime === null ? "never" : describeTime(expiresTime),
    usedTime === null ? "never" : describeTime(usedTime),
    scopes.join(" "),
  ];
}

function describeAsJson(keys: readonly ApiKey[], now: number): string {
  const toIso = (time: number | null) => time === null ? null : new Date(time).toISOString();
  const objects = keys.map((key) => ({
    id: key.id,
    name: key.name,
    workspace: key.workspace,
    state: stateOf(key, now),
    scopes: key.scopes,
    subject: apiKeyPseudonym(key.id),
    created_time: toIso(key.createdTime),
    expires_time: toIso(key.expiresTime),
    revoked_time: toIso(key.revokedTime),
    last_used_hour: toIso(key.usedTime),
  }));
  return `${JSON.stringify(objects, null, 2)}\n`;
}
