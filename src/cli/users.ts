/**
 * `recto users`: lists, shows and erases users.
 *
 * @module
 */
import { eraseReceipts } from "../maintenance/slices.ts";
import type { Store, UserEntry, UserKey } from "../store/port.ts";
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
import { attempt, type CommandResult, conclude, failure } from "./command.ts";

const USAGE = `Usage: recto users list [--workspace W] [--json]
       recto users show ID|EMAIL|--pseudonym P [--json]
       recto users erase ID [--workspace W] [--dry-run] [--yes]
       recto users allow ID [--workspace W]

list   users of all workspaces, or of one
show   one user in each of its workspaces; P is what the request log calls "subject"
erase  remove name, e-mail address and avatar of a user, everywhere in the database. What the user
       wrote stays, as of "Deleted user", and later tokens of the user do not bring the name back
allow  let the next token of an erased user set its name again

The server may be running.
`;

/** Runs `users` with these arguments. */
export function users(args: readonly string[], context: AdminContext): Promise<CommandResult> {
  const verbs = { list, show, erase, allow };
  return attempt("do that", () => runVerb({ name: "users", usage: USAGE, verbs }, args, context));
}

const PAGE = 500;

/** All users of one workspace, or of all. */
async function* allUsers(store: Store, workspace?: string): AsyncGenerator<UserEntry> {
  let after: UserKey | undefined = workspace === undefined ? undefined : { workspace, id: "" };
  for (;;) {
    const page: UserEntry[] = await store.listUsers(after, PAGE);
    for (const user of page) {
      if (workspace !== undefined && user.workspace !== workspace) return;
      yield user;
    }
    after = page.at(-1);
    if (after === undefined) return;
  }
}

async function findUsers(
  store: Store,
  isWanted: (user: UserEntry) => boolean,
  workspace?: string,
): Promise<UserEntry[]> {
  const found: UserEntry[] = [];
  for await (const user of allUsers(store, workspace)) if (isWanted(user)) found.push(user);
  return found;
}

async function list(args: readonly string[], context: AdminContext): Promise<CommandResult> {
  const options = { ...COMMON, workspace: { type: "string" }, json: { type: "boolean" } } as const;
  const { values } = parse(args, options, { least: 0, most: 0 });
  const found = await onStore(
    context,
    ({ store }) => findUsers(store, () => true, values.workspace),
  );
  return print(found, values.json);
}

async function show(args: readonly string[], context: AdminContext): Promise<CommandResult> {
  const options = { ...COMMON, pseudonym: { type: "string" }, json: { type: "boolean" } } as const;
  const { values, positionals } = parse(args, options, { least: 0, most: 1 });
  const [name] = positionals;
  if ((name === undefined) === (values.pseudonym === undefined)) {
    throw new UsageError("Name a user by ID or e-mail address, or by --pseudonym");
  }
  const isWanted = (user: UserEntry) =>
    name === undefined
      ? user.pseudonym === values.pseudonym
      : user.id === name || user.email?.toLowerCase() === name.toLowerCase();
  const found = await onStore(context, ({ store }) => findUsers(store, isWanted));
  if (found.length > 0) return print(found, values.json);
  return failure(
    1,
    name === undefined
      ? `No user has the pseudonym ${values.pseudonym}: pseudonyms are stored when a token is used, ` +
        "and removed when a user is erased\n"
      : `No such user: ${name}. \`recto users list\` lists all\n`,
  );
}

function print(found: readonly UserEntry[], isJson = false): CommandResult {
  const stdout = isJson ? found.map((user) => `${JSON.stringify(user)}\n`).join("") : table([
    ["WORKSPACE", "ID", "TYPE", "NAME", "E-MAIL", "PSEUDONYM", "ERASED"],
    ...found.map(({ workspace, id, type, name, email, pseudonym, erasedTime }) => [
      ...[shown(workspace), id, type, shown(name), shown(email), pseudonym ?? "-"],
      erasedTime === null ? "-" : timeOf(erasedTime),
    ]),
  ]);
  return { code: 0, stdout, stderr: "" };
}

async function erase(args: readonly string[], context: AdminContext): Promise<CommandResult> {
  const options = { ...DESTROYING, workspace: { type: "string" } } as const;
  const { values, positionals: [id = ""] } = parse(args, options, { least: 1, most: 1 });
  return await onStore(context, async (opened) => {
    const found = await findUsers(opened.store, (user) => user.id === id, values.workspace);
    if (found.length === 0) return missing(opened.store, id);
    const plan = found.map(({ workspace, name, email }) =>
      `Erase ${shown(name)} (${shown(email)}) in workspace ${shown(workspace)}\n`
    ).join("");
    return await confirmAndDestroy({
      plan: `${plan}What the user wrote stays. Logs and backups are not changed.\n`,
      word: "erase",
      isDry: values["dry-run"] ?? false,
      isSure: values.yes ?? false,
      destroy: () => eraseUsers(opened, found, context.now),
    }, context);
  });
}

/** A user who is named by e-mail address is found by ID first, because an address may be shared. */
async function missing(store: Store, name: string): Promise<CommandResult> {
  const [other] = await findUsers(
    store,
    ({ email }) => email?.toLowerCase() === name.toLowerCase(),
  );
  const hint = other === undefined
    ? "`recto users list` lists all"
    : `Did you mean \`recto users erase ${other.id}\`?`;
  return failure(1, `No user has the ID ${name}. ${hint}\n`);
}

async function eraseUsers(
  { store, database, rest }: Opened,
  found: readonly UserEntry[],
  now: number,
): Promise<string> {
  for (const { workspace, id, name, email, avatarUrl } of found) {
    await store.eraseUser(workspace, id, now);
    const texts = [id, name, email, avatarUrl].filter((text) => text !== null && text !== "");
    await eraseReceipts(store, workspace, texts.filter((text) => text !== null), rest);
  }
  const left = await database.scrub();
  return `Erased in ${found.length} ${found.length === 1 ? "workspace" : "workspaces"}\n` +
    left.map((sentence) => `Note: ${sentence}\n`).join("");
}

async function allow(args: readonly string[], context: AdminContext): Promise<CommandResult> {
  const options = { ...COMMON, workspace: { type: "string" } } as const;
  const { values, positionals: [id = ""] } = parse(args, options, { least: 1, most: 1 });
  return await onStore(context, async ({ store }) => {
    const isErased = (user: UserEntry) => user.id === id && user.erasedTime !== null;
    const found = await findUsers(store, isErased, values.workspace);
    if (found.length === 0) return failure(1, `No erased user has the ID ${id}\n`);
    for (const { workspace } of found) await store.allowUser(workspace, id);
    return {
      code: 0,
      stdout: `The next token of ${id} may set its name again\n`,
      stderr: "",
    };
  });
}

if (import.meta.main) {
  const environment = (name: string) => Deno.env.get(name);
  await conclude(await users(Deno.args, { environment, now: Date.now(), ask: askTerminal }));
}
