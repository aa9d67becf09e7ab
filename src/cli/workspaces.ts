/**
 * `recto workspaces`: lists workspaces, shows what they store, and deletes them.
 *
 * @module
 */
import { allOf, deleteWorkspace, reclaimSpace } from "../maintenance/slices.ts";
import type { WorkspaceUsage } from "../store/port.ts";
import {
  type AdminContext,
  askTerminal,
  bytesOf,
  COMMON,
  confirmAndDestroy,
  DESTROYING,
  onStore,
  type Opened,
  parse,
  runVerb,
  shown,
  table,
} from "./admin/context.ts";
import { deleteFiles } from "./admin/files.ts";
import { attempt, type CommandResult, conclude, failure } from "./command.ts";

const USAGE = `Usage: recto workspaces list [--json]
       recto workspaces usage [WORKSPACE] [--json]
       recto workspaces delete WORKSPACE [--dry-run] [--yes]

list    the names of all workspaces that store anything
usage   how many pages, blocks, comments, users and files they have, and how large these are
delete  delete a workspace for good: pages, users, search and files. Stop issuing tokens for it first,
        because the next call with one creates it again

The server may be running.
`;

/** Runs `workspaces` with these arguments. */
export function workspaces(
  args: readonly string[],
  context: AdminContext,
): Promise<CommandResult> {
  const verbs = { list, usage, delete: remove };
  return attempt(
    "do that",
    () => runVerb({ name: "workspaces", usage: USAGE, verbs }, args, context),
  );
}

async function list(args: readonly string[], context: AdminContext): Promise<CommandResult> {
  const { values } = parse(args, { ...COMMON, json: { type: "boolean" } } as const, {
    least: 0,
    most: 0,
  });
  const names = await onStore(context, ({ store }) => Array.fromAsync(allOf(store.nextWorkspace)));
  const line = (name: string) => values.json ? JSON.stringify(name) : shown(name);
  return { code: 0, stdout: names.map((name) => `${line(name)}\n`).join(""), stderr: "" };
}

async function usage(args: readonly string[], context: AdminContext): Promise<CommandResult> {
  const { values, positionals: [wanted] } = parse(
    args,
    { ...COMMON, json: { type: "boolean" } } as const,
    { least: 0, most: 1 },
  );
  return await onStore(context, async ({ store }) => {
    const names = await Array.fromAsync(allOf(store.nextWorkspace));
    if (wanted !== undefined && !names.includes(wanted)) return missing(wanted);
    const rows: { readonly workspace: string; readonly usage: WorkspaceUsage }[] = [];
    for (const workspace of wanted === undefined ? names : [wanted]) {
      rows.push({ workspace, usage: await store.usage(workspace) });
    }
    const stdout = values.json
      ? rows.map(({ workspace, usage }) => `${JSON.stringify({ workspace, ...usage })}\n`).join("")
      : table([
        HEADINGS,
        ...rows.map(({ workspace, usage }) => [shown(workspace), ...cells(usage)]),
      ]);
    return { code: 0, stdout, stderr: "" };
  });
}

const HEADINGS = [
  ...["WORKSPACE", "PAGES", "DATABASES", "BLOCKS", "IN TRASH", "COMMENTS"],
  ...["CONTENT", "USERS", "FILES", "FILE SIZE", "WORDS", "VECTORS"],
];

function cells(usage: WorkspaceUsage): string[] {
  const { pages, databases, blocks, trashed, comments, users, files } = usage;
  return [
    ...[pages, databases, blocks, trashed, comments].map(String),
    ...[bytesOf(usage.contentBytes), `${users}`, `${files}`, bytesOf(usage.fileBytes)],
    ...[bytesOf(usage.wordBytes), bytesOf(usage.vectorBytes)],
  ];
}

function missing(name: string): CommandResult {
  return failure(1, `No such workspace: ${shown(name)}. \`recto workspaces list\` lists all\n`);
}

async function remove(args: readonly string[], context: AdminContext): Promise<CommandResult> {
  const { values, positionals: [name = ""] } = parse(args, DESTROYING, { least: 1, most: 1 });
  return await onStore(context, async (opened) => {
    const names = await Array.fromAsync(allOf(opened.store.nextWorkspace));
    if (!names.includes(name)) return missing(name);
    const { pages, databases, blocks, users, files, fileBytes } = await opened.store.usage(name);
    return await confirmAndDestroy({
      plan: `Delete workspace ${shown(name)} for good: ${pages} pages, ${databases} databases, ` +
        `${blocks} blocks, ${users} users, ${files} files (${bytesOf(fileBytes)})\n`,
      word: name,
      isDry: values["dry-run"] ?? false,
      isSure: values.yes ?? false,
      destroy: () => destroy(opened, name, context.now),
    }, context);
  });
}

async function destroy(opened: Opened, name: string, now: number): Promise<string> {
  const rows = await deleteWorkspace(opened.store, name, opened.rest);
  await deleteFiles(opened, now);
  await reclaimSpace(opened.store, opened.rest);
  return `Deleted workspace ${shown(name)}: ${rows} rows\n`;
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  await conclude(await workspaces(Deno.args, { environment, now: Date.now(), ask: askTerminal }));
}
