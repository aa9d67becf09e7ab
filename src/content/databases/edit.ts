/**
 * Edits databases, with the changes that follow for their rows and related databases.
 *
 * @module
 */
import { validationError } from "../../shared/errors.ts";
import type { Change, Edit, NodeContent } from "../schema/node.ts";
import { plainText } from "../values/rich_text.ts";
import type { DatabaseDoc, Related, StoredDatabase } from "../schema/database.ts";
import { draftSchemaSteps, type SchemaDraft } from "./draft_schema.ts";
import type { DatabaseUpdateInput } from "./input.ts";
import { appearanceIssues, contentOf, withAppearance } from "./appearance.ts";
import { changesComputed } from "./references.ts";
import { dropped } from "./materialized_formulas.ts";
import { newLinkCounts, rowChanges } from "./row_changes.ts";
import type { Schema } from "../schema/property.ts";

export interface DatabaseEditOptions {
  readonly edit: Edit;
  /** The databases of `relatedIds`, and those related to them. */
  readonly related: Related;
  /** The last number assigned to a row: `store.lastNumber`. */
  readonly lastNumber: number;
  newId(): string;
  /** 8 characters of `[A-Za-z0-9_]`. */
  newPropertyId(): string;
}

export interface EditedDatabase {
  readonly content: NodeContent;
  readonly doc: DatabaseDoc;
  /** Changes of its rows and of related databases; updating the node itself is not included. */
  readonly changes: readonly Change[];
}

/**
 * Edits a database in steps; trash and restore are handled elsewhere.
 *
 * @throws {AppError} `validation_error` with all issues that the schema of the input cannot
 * express.
 */
export function* editDatabaseSteps(
  current: StoredDatabase,
  input: DatabaseUpdateInput,
  options: DatabaseEditOptions,
): Generator<void, EditedDatabase, void> {
  const { id } = current.node;
  const look = withAppearance(current.doc, input);
  const before = current.doc.properties;
  const context = { ...options, id, title: plainText(look.title) };
  const draft = input.properties === undefined
    ? unchanged(before)
    : yield* draftSchemaSteps(before, input.properties, context);
  const issues = [...appearanceIssues(input), ...draft.issues];
  if (issues.length > 0) throw validationError(issues);
  const { lastNumber, edit: { time } } = options;
  const ofRows = rowChanges(id, { before, after: draft.schema, lastNumber, time });
  // Rows that are rewritten get the cells of stored properties alone.
  const isRewritten = ofRows.some(({ op }) => op === "reshape");
  const materialized = isRewritten ? look.materialized?.map(dropped) : look.materialized;
  const doc = { ...look, properties: draft.schema, ...(materialized && { materialized }) };
  const changes: Change[] = [
    ...(changesComputed(before, draft.schema) ? expectedSchemas(id, options.related) : []),
    ...ofRows,
    ...draft.unlinked.map((relationId) => ({ op: "unlink", relationId }) as const),
    ...newLinkCounts(id, { before, after: draft.schema }),
    ...updatesOf(draft.others, options.edit),
  ];
  return { content: contentOf(doc), doc, changes };
}

/**
 * Formulas and rollups are checked against the related schemas, also of databases in the trash. Until
 * the commit, other processes may change these, so that together both form a cycle.
 */
function expectedSchemas(id: string, related: Related): Change[] {
  return [...related.values()].filter(({ node }) => node.id !== id)
    .map(({ node: { id, version } }) => ({ op: "expect", id, version, mayBeTrashed: true }));
}

/** The changes that store the new schemas of other databases, and that follow from them. */
export function updatesOf(others: SchemaDraft["others"], edit: Edit): Change[] {
  return others.flatMap(([{ node, doc }, properties]): Change[] => [
    {
      op: "update",
      id: node.id,
      version: node.version,
      edit,
      ...contentOf({ ...doc, properties }),
    },
    ...newLinkCounts(node.id, { before: doc.properties, after: properties }),
  ]);
}

function unchanged(schema: Schema): SchemaDraft {
  return { schema, others: [], unlinked: [], issues: [] };
}
