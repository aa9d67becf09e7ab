/**
 * Reading users, workspaces and the trash for an operator.
 *
 * @module
 */
import { compareCodePoints } from "../../content/schema/collation.ts";
import type { PurgeKey, TrashEntry, UserEntry, UserKey, WorkspaceUsage } from "../port.ts";
import type { Flag } from "../reads/node_row.ts";
import type { ReadPlan, Source } from "../reads/query.ts";
import { toUserRecord, USER_COLUMNS, type UserRow } from "../reads/user_row.ts";

export interface AdministrationReads {
  listUsers(after: UserKey | undefined, limit: number): ReadPlan<UserEntry[]>;
  nextWorkspace(after: string): ReadPlan<string | undefined>;
  usage(workspace: string): ReadPlan<WorkspaceUsage>;
  nextTrash(after: string): ReadPlan<string | undefined>;
  trashEntries(workspace: string, after: string, limit: number): ReadPlan<TrashEntry[]>;
  purges(limit: number): ReadPlan<PurgeKey[]>;
  nextReceipts(after: string): ReadPlan<string | undefined>;
}

/** Declares the statements of all these reads. */
export function createAdministrationReads(source: Source): AdministrationReads {
  return {
    listUsers: userRead(source),
    nextWorkspace: nextRead(source, TABLES.map((table) => [table, "true"])),
    usage: usageRead(source),
    nextTrash: nextRead(source, [[
      source.dialect.indexed("nodes", "nodes_in_trash"),
      source.dialect.inState("trash_root", true),
    ]]),
    trashEntries: trashRead(source),
    purges: purgeRead(source),
    nextReceipts: nextRead(source, [["receipts", "true"]]),
  };
}

/** A workspace stores something if one of these has rows of it; the others have rows beside theirs. */
const TABLES = ["nodes", "users", "receipts", "uploads", "leftovers", "search_parts", "api_keys"];

function userRead({ query }: Source): AdministrationReads["listUsers"] {
  const users = query<readonly [workspace: string, ...UserRow]>(
    `SELECT u.workspace_id, ${USER_COLUMNS} FROM users u
    WHERE (u.workspace_id, u.id) > ($1, $2) ORDER BY u.workspace_id, u.id LIMIT $3`,
  );
  return (after, limit) =>
    users.all(
      [after?.workspace ?? "", after?.id ?? "", limit],
      ([workspace, ...row]) => ({ workspace, ...toUserRecord(workspace, row) }),
    );
}

/** The first workspace behind a name that has rows in one of these tables under its condition. */
function nextRead(
  { query }: Source,
  tables: readonly (readonly [table: string, condition: string])[],
): (after: string) => ReadPlan<string | undefined> {
  const parts = tables.map(([table, condition]) =>
    query<[string | null]>(
      `SELECT min(workspace_id) FROM ${table} WHERE workspace_id > $1 AND ${condition}`,
    )
  );
  return function* (after) {
    const answers = yield parts.map((part) => part.question([after]));
    const found = answers.flatMap((answer, index) => parts[index]?.rowsOf(answer) ?? []);
    return found.flatMap(([workspace]) => workspace ?? []).sort(compareCodePoints)[0];
  };
}

type UsageRow = readonly [
  pages: number,
  databases: number,
  blocks: number,
  trashed: number,
  nodeBytes: number,
  comments: number,
  commentBytes: number,
  users: number,
  files: number,
  fileBytes: number,
  wordBytes: number,
  vectorBytes: number,
  receipts: number,
];

function usageRead({ dialect, query }: Source): AdministrationReads["usage"] {
  const bytes = (...columns: readonly string[]) =>
    `CAST(coalesce(sum(${columns.join(" + ")}), 0) AS bigint)`;
  const of = (what: string, table: string) =>
    `(SELECT ${what} FROM ${table} WHERE workspace_id = $1)`;
  const usage = query<UsageRow>(`
    SELECT totals.*, ${of("count(*)", "comments")}, ${of(bytes("octet_length(doc)"), "comments")},
      ${of("count(*)", "users")}, ${of("count(*)", "uploads")},
      ${of(bytes("content_length"), "uploads")},
      ${of(bytes("octet_length(title)", "octet_length(body)"), "search_parts")},
      ${of(bytes("octet_length(vectors)"), "search_vectors")}, ${of("count(*)", "receipts")}
    FROM (
      SELECT count(*) FILTER (WHERE kind = 'page'), count(*) FILTER (WHERE kind = 'database'),
        count(*) FILTER (WHERE kind = 'block'),
        count(*) FILTER (WHERE ${dialect.inState("trash_root", true)}),
        ${bytes("octet_length(title)", "octet_length(doc)")}
      FROM nodes WHERE workspace_id = $1
    ) totals
  `);
  return function* (workspace) {
    const [pages, databases, blocks, trashed, nodeBytes, comments, commentBytes, ...others] =
      (yield* usage.first([workspace], (row) => row)) ?? NOTHING;
    const [users, files, fileBytes, wordBytes, vectorBytes, receipts] = others;
    return {
      pages,
      databases,
      blocks,
      trashed,
      comments,
      contentBytes: nodeBytes + commentBytes,
      users,
      files,
      fileBytes,
      wordBytes,
      vectorBytes,
      receipts,
    };
  };
}

const NOTHING: UsageRow = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

type TrashRow = readonly [
  id: string,
  kind: TrashEntry["kind"],
  title: string,
  trashedTime: number,
  trashedBy: string,
  isPurging: Flag,
];

/** Goes from one entry to the next by index, however many nodes each took along. */
function trashRead({ dialect, query }: Source): AdministrationReads["trashEntries"] {
  const first = (behind: string) =>
    `SELECT min(t.trash_root) FROM ${dialect.indexed("nodes t", "nodes_in_trash")}
    WHERE t.workspace_id = $1 AND t.trash_root > ${behind}
      AND ${dialect.inState("t.trash_root", true)}`;
  const entries = query<TrashRow>(`
    WITH RECURSIVE roots (id, place) AS (
      SELECT (${first("$2")}), 1
      UNION ALL
      SELECT (${first("roots.id")}), roots.place + 1 FROM roots
      WHERE roots.id IS NOT NULL AND roots.place < $3
    )
    SELECT n.id, n.kind, n.title, n.edited_time, n.edited_by, EXISTS (
      SELECT 1 FROM purges p WHERE p.workspace_id = $1 AND p.node_id = n.id
    )
    FROM roots CROSS JOIN nodes n WHERE n.workspace_id = $1 AND n.id = roots.id
  `);
  return function* (workspace, after, limit) {
    const found = yield* entries.all([workspace, after, limit], toEntry);
    // No database promises the order of a recursion.
    return found.sort((a, b) => compareCodePoints(a.id, b.id));
  };
}

function toEntry([id, kind, title, trashedTime, trashedBy, isPurging]: TrashRow): TrashEntry {
  return { id, kind, title, trashedTime, trashedBy, isPurging: Boolean(isPurging) };
}

function purgeRead({ query }: Source): AdministrationReads["purges"] {
  const marked = query<[workspace: string, id: string]>(
    "SELECT workspace_id, node_id FROM purges WHERE (workspace_id, node_id) > ('', '') LIMIT $1",
  );
  return (limit) => marked.all([limit], ([workspace, id]) => ({ workspace, id }));
}
