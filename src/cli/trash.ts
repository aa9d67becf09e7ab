/**
 * `recto trash`: lists what is in the trash, and deletes it for good.
 *
 * @module
 */
import { allOf, purge, reclaimSpace, trashOf } from "../maintenance/slices.ts";
import type { NodeView } from "../content/schema/node.ts";
import type { Store, TrashEntry } from "../store/port.ts";
import {
  type AdminContext,
  askTerminal,
  COMMON,
  confirmAndDestroy,
  DESTROYING,
  onStore,
  type Opened,
  parse,
  runVerb,
  shown,
  table,
  timeOf,
  UsageError,
} from "./admin/context.ts";
import { deleteFiles } from "./admin/files.ts";
import { attempt, type CommandResult, conclude, failure } from "./command.ts";

const USAGE = `Usage: recto trash list [--workspace W] [--json]
       recto trash purge ID [--workspace W] [--even-if-used] [--dry-run] [--yes]
       recto trash purge --older-than 30d [--workspace W] [--dry-run] [--yes]

list   what was deleted, when and by whom
purge  delete for good, with everything below and its files: one page, database or block, or all that
       has been in the trash for so many days (0d: everything). A page that is not in the trash is
       only deleted with --even-if-used

RECTO_TRASH_RETENTION=30d has the server do the same by itself. The server may be running.
`;

/** Runs `trash` with these arguments. */
export function trash(args: readonly string[], context: AdminContext): Promise<CommandResult> {
  const verbs = { list, purge: remove };
  return attempt("do that", () => runVerb({ name: "trash", usage: USAGE, verbs }, args, context));
}

interface Found extends TrashEntry {
  readonly workspace: string;
}

async function* allTrash(store: Store, wanted?: string): AsyncGenerator<Found> {
  for await (const workspace of allOf(store.nextTrash)) {
    if (wanted !== undefined && workspace !== wanted) continue;
    for await (const entry of trashOf(store, workspace)) yield { workspace, ...entry };
  }
}

async function list(args: readonly string[], context: AdminContext): Promise<CommandResult> {
  const options = { ...COMMON, workspace: { type: "string" }, json: { type: "boolean" } } as const;
  const { values } = parse(args, options, { least: 0, most: 0 });
  const found = await onStore(
    context,
    ({ store }) => Array.fromAsync(allTrash(store, values.workspace)),
  );
  const stdout = values.json ? found.map((entry) => `${JSON.stringify(entry)}\n`).join("") : table([
    ["WORKSPACE", "ID", "KIND", "TITLE", "DELETED", "BY"],
    ...found.map(({ workspace, id, kind, title, trashedTime, trashedBy, isPurging }) => [
      ...[shown(workspace), id, kind, shown(title), timeOf(trashedTime), trashedBy],
      isPurging ? "(being deleted for good)" : "",
    ]),
  ]);
  return { code: 0, stdout, stderr: "" };
}

const DAY = 86_400_000;

async function remove(args: readonly string[], context: AdminContext): Promise<CommandResult> {
  const options = {
    ...DESTROYING,
    workspace: { type: "string" },
    "older-than": { type: "string" },
    "even-if-used": { type: "boolean" },
  } as const;
  const { values, positionals: [id] } = parse(args, options, { least: 0, most: 1 });
  const [, days] = /^(\d{1,5})d$/.exec(values["older-than"] ?? "") ?? [];
  if ((id === undefined) === (values["older-than"] === undefined)) {
    throw new UsageError("Name what to delete: an ID, or --older-than");
  }
  if (id === undefined && days === undefined) {
    throw new UsageError(`--older-than must be days, such as 30d: "${values["older-than"]}"`);
  }
  return await onStore(context, async (opened) => {
    const found = id === undefined
      ? await olderThan(opened.store, context.now - Number(days) * DAY, values.workspace)
      : await named(opened.store, id, values);
    if (!Array.isArray(found)) return found;
    if (found.length === 0) return { code: 0, stdout: "Nothing to delete\n", stderr: "" };
    return await confirmAndDestroy({
      plan: planOf(found),
      word: "purge",
      isDry: values["dry-run"] ?? false,
      isSure: values.yes ?? false,
      destroy: () => purgeAll(opened, found, context.now),
    }, context);
  });
}

/** Something to delete for good. */
interface Doomed {
  readonly workspace: string;
  readonly id: string;
  readonly kind: string;
  readonly title: string;
}

async function olderThan(store: Store, time: number, workspace?: string): Promise<Doomed[]> {
  const found: Doomed[] = [];
  for await (const entry of allTrash(store, workspace)) {
    if (entry.trashedTime <= time) found.push(entry);
  }
  return found;
}

/** An ID is unique in practice; the workspaces are looked through for it. */
async function named(
  store: Store,
  id: string,
  options: {
    readonly workspace?: string | undefined;
    readonly "even-if-used"?: boolean | undefined;
  },
): Promise<Doomed[] | CommandResult> {
  for await (const workspace of allOf(store.nextWorkspace)) {
    if (options.workspace !== undefined && workspace !== options.workspace) continue;
    const node = await store.node(workspace, id);
    if (node === undefined) continue;
    return refusal(node, options["even-if-used"] ?? false) ?? [{ workspace, ...node }];
  }
  return failure(
    1,
    `No page, database or block has the ID ${shown(id)}. ` +
      "`recto trash list` lists the trash\n",
  );
}

function refusal(
  { id, kind, title, trashRoot }: NodeView,
  evenIfUsed: boolean,
): CommandResult | undefined {
  if (trashRoot !== null) return undefined;
  if (kind === "block") {
    return failure(
      1,
      `${id} is a block that is not in the trash: delete it through the API first\n`,
    );
  }
  if (evenIfUsed) return undefined;
  return failure(
    1,
    `${shown(title)} is not in the trash. Delete it through the API first, or type ` +
      `\`recto trash purge ${id} --even-if-used\`\n`,
  );
}

/** Lines of a plan; the rest is counted. */
const MOST_LINES = 20;

function planOf(found: readonly Doomed[]): string {
  const lines = found.slice(0, MOST_LINES).map(({ workspace, id, kind, title }) =>
    `Delete ${kind} ${id} (${shown(title)}) of workspace ${shown(workspace)} for good\n`
  );
  const rest = found.length - lines.length;
  return `${lines.join("")}${rest > 0 ? `and ${rest} more\n` : ""}` +
    "Everything below goes with them, and files that nothing else shows.\n";
}

async function purgeAll(opened: Opened, found: readonly Doomed[], now: number): Promise<string> {
  const { store, rest } = opened;
  for (const { workspace, id } of found) {
    await purge(store, { workspace, id, edit: { time: now, by: "" } }, rest);
  }
  await deleteFiles(opened, now);
  await reclaimSpace(store, rest);
  return `Deleted ${found.length} ${found.length === 1 ? "entry" : "entries"} for good\n`;
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  await conclude(await trash(Deno.args, { environment, now: Date.now(), ask: askTerminal }));
}
