/**
 * Changing databases, and what that does to their rows and to related databases.
 *
 * @module
 */
import { validationError } from "../../shared/errors.ts";
import type { Change, Edit, NodeContent } from "../schema/node.ts";
import { plainText } from "../values/rich_text.ts";
import type { DatabaseDoc, KnownDatabase, Related } from "../schema/database.ts";
import { draftSchema, type SchemaDraft } from "./draft.ts";
import type { DatabaseUpdateInput } from "./input.ts";
import { appearanceIssues, contentOf, withAppearance } from "./appearance.ts";
import { rowChanges } from "./row_changes.ts";
import type { Schema } from "../schema/property.ts";

export interface DatabaseEditOptions {
  readonly edit: Edit;
  /** The databases of `relatedIds`, and those that they lead to. */
  readonly related: Related;
  /** The last number given to a row: `store.lastNumber`. */
  readonly lastNumber: number;
  newId(): string;
  /** 8 characters of `[A-Za-z0-9_]`. */
  newPropertyId(): string;
}

export interface EditedDatabase {
  readonly content: NodeContent;
  readonly doc: DatabaseDoc;
  /** What follows for its rows and related databases; the node's own update is apart. */
  readonly changes: readonly Change[];
}

/**
 * A database after an edit; trash and restore are apart.
 *
 * @throws {AppError} `validation_error` with all faults of the input that its schema cannot say.
 */
export function editDatabase(
  current: KnownDatabase,
  input: DatabaseUpdateInput,
  options: DatabaseEditOptions,
): EditedDatabase {
  const { id } = current.node;
  const look = withAppearance(current.doc, input);
  const before = current.doc.properties;
  const context = { ...options, id, title: plainText(look.title) };
  const draft = input.properties === undefined
    ? unchanged(before)
    : draftSchema(before, input.properties, context);
  const issues = [...appearanceIssues(input), ...draft.issues];
  if (issues.length > 0) throw validationError(issues);
  const doc = { ...look, properties: draft.schema };
  const { lastNumber, edit: { time } } = options;
  const changes: Change[] = [
    ...rowChanges(id, { before, after: draft.schema, lastNumber, time }),
    ...draft.unlinked.map((relationId) => ({ op: "unlink", relationId }) as const),
    ...updatesOf(draft.others, options.edit),
  ];
  return { content: contentOf(doc), doc, changes };
}

/** Gives other databases the schema that a draft found for them. */
export function updatesOf(others: SchemaDraft["others"], edit: Edit): Change[] {
  return others.map(([{ node, doc }, properties]) => ({
    op: "update",
    id: node.id,
    version: node.version,
    edit,
    ...contentOf({ ...doc, properties }),
  }));
}

function unchanged(schema: Schema): SchemaDraft {
  return { schema, others: [], unlinked: [], issues: [] };
}
