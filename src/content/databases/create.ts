/**
 * Creates databases.
 *
 * @module
 */
import { validationError } from "../../shared/errors.ts";
import { normalizeId } from "../values/ids.ts";
import { type Change, type Edit, firstState, type Node } from "../schema/node.ts";
import type { PageParent } from "../schema/parents.ts";
import { plainText } from "../values/rich_text.ts";
import type { DatabaseDoc, Related } from "../schema/database.ts";
import { draftSchemaSteps } from "./draft_schema.ts";
import type { DatabaseCreateInput, PropertyUpdateInputs } from "./input.ts";
import { appearanceIssues, contentOf, withAppearance } from "./appearance.ts";
import { updatesOf } from "./edit.ts";
import type { Schema } from "../schema/property.ts";

export interface NewDatabaseOptions {
  readonly id: string;
  readonly parent: PageParent;
  readonly position: string;
  readonly edit: Edit;
  /** The databases of `relatedIds`, and those related to them. */
  readonly related: Related;
  newId(): string;
  /** 8 characters of `[A-Za-z0-9_]`. */
  newPropertyId(): string;
}

export interface NewDatabase {
  readonly node: Node;
  readonly doc: DatabaseDoc;
  /** Changes of related databases; inserting the node itself is not included. */
  readonly changes: readonly Change[];
}

const NOTHING: DatabaseDoc = {
  title: [],
  description: [],
  icon: null,
  cover: null,
  is_inline: false,
  properties: [],
};

/**
 * Creates a database, and the other sides of its dual relations, in steps.
 *
 * @throws {AppError} `validation_error` with all issues that the schema of the input cannot
 * express.
 */
export function* newDatabaseSteps(
  input: DatabaseCreateInput,
  options: NewDatabaseOptions,
): Generator<void, NewDatabase, void> {
  const { id, parent, position, edit } = options;
  const look = withAppearance(NOTHING, input);
  const context = { ...options, title: plainText(look.title) };
  const draft = yield* draftSchemaSteps([], input.properties, context);
  const issues = [...appearanceIssues(input), ...draft.issues];
  if (issues.length > 0) throw validationError(issues);
  const doc = { ...look, properties: draft.schema };
  const node: Node = {
    id,
    kind: "database",
    type: "child_database",
    parentKind: parent.kind,
    parentId: parent.id,
    containerId: parent.id,
    position,
    ...contentOf(doc),
    ...firstState(edit),
  };
  return { node, doc, changes: updatesOf(draft.others, edit) };
}

/** Distinct ids of the databases that a schema, or a change of it, is related to. */
export function relatedIds(inputs: PropertyUpdateInputs, schema: Schema = []): string[] {
  const requested = Object.values(inputs).flatMap((input) =>
    input?.relation === undefined ? [] : [normalizeId(input.relation.database_id)]
  );
  const current = schema.flatMap((property) =>
    property.type === "relation" ? [property.databaseId] : []
  );
  return [...new Set([...requested, ...current])];
}
