/**
 * Checks of what a decision was based on, which change nothing.
 *
 * @module
 */
import { query, statement } from "../query.ts";
import type { Applier } from "./appliers.ts";
import { expect, expectOne } from "./expectation.ts";

const findVersion = statement(`
  SELECT FROM nodes
  WHERE workspace_id = $1 AND id = $2 AND version = $3 AND (trash_root = '' OR $4::boolean)
`);
// The parent is no condition, because PostgreSQL might look for the rows among all of a database.
const countRows = query<[number]>(`
  SELECT count(*) FILTER (WHERE parent_id = $2 AND kind = 'page' AND trash_root = '') FROM nodes
  WHERE workspace_id = $1 AND id = ANY ($3::text[])
`);
const findChild = statement(`
  SELECT FROM nodes WHERE workspace_id = $1 AND parent_id = $2 AND trash_root = ''
  ORDER BY position LIMIT 1
`);

/** Expects a node to have this version. */
export const expectNode: Applier<"expect"> = async (
  session,
  workspace,
  { id, version, mayBeTrashed = false },
) => {
  expectOne(await findVersion(session, workspace, id, version, mayBeTrashed));
};

/** Expects pages to be rows of this database. */
export const expectRows: Applier<"expectRows"> = async (
  session,
  workspace,
  { databaseId, ids },
) => {
  const [rows] = await countRows.get(session, workspace, databaseId, ids) ?? [];
  expect(rows === ids.length);
};

/** Expects a node to have no children. */
export const expectChildless: Applier<"expectChildless"> = async (session, workspace, { id }) => {
  expect(await findChild(session, workspace, id) === 0);
};
