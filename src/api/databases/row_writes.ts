/**
 * Writes of rows: what the values of a row need from other objects, and change in them.
 *
 * @module
 */
import type { PropertyOf, Schema } from "../../content/schema/property.ts";
import { sizeIssues } from "../../content/databases/issues.ts";
import { contentOf } from "../../content/databases/appearance.ts";
import type { Change, Edit, NodeView } from "../../content/schema/node.ts";
import {
  addOptions,
  findProperty,
  type GivenLinks,
  linksIn,
  missingOptions,
  type PropertiesInput,
} from "../../content/properties/mod.ts";
import { validationError, type ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import { type Database, withPendingSchema } from "../shared/database_cache.ts";
import type { Services } from "../shared/services.ts";

export interface RowWriting {
  readonly workspace: string;
  readonly database: Database;
  readonly input: PropertiesInput;
  readonly edit: Edit;
}

/** The schema, changes and links that storing valid values requires. */
export interface PreparedRow {
  /** The schema with every option that the values name. */
  readonly database: Database;
  /** Changes of the database, not of the row itself. */
  readonly changes: readonly Change[];
  readonly links: readonly GivenLinks[];
}

/**
 * Looks up the rows that relations name, and adds new options to the schema. Throws `validation_error`
 * if a relation names a row that is missing or in the trash.
 */
export async function prepareRow(
  services: Services,
  { workspace, database, input, edit }: RowWriting,
): Promise<PreparedRow> {
  const schema = database.doc.properties;
  const links = linksIn(schema, input);
  await requireRows(services, workspace, { schema, input, links });
  const missing = missingOptions(schema, input);
  const { node } = database;
  if (missing.length === 0) {
    return { database, links, changes: [{ op: "expect", id: node.id, version: node.version }] };
  }
  const doc = { ...database.doc, properties: addOptions(schema, missing, services.newId) };
  const issues = sizeIssues(doc.properties);
  if (issues.length > 0) throw validationError(issues);
  const update = {
    op: "update",
    id: node.id,
    version: node.version,
    edit,
    ...contentOf(doc),
  } as const;
  return { database: withPendingSchema({ node, doc }, database.related), links, changes: [update] };
}

/** Returns the changes that set the links of a row. */
export function linkChanges(id: string, links: readonly GivenLinks[]): Change[] {
  return links.map(({ property: { relationId, side }, ids }) => ({
    op: "link",
    relationId,
    side,
    id,
    others: ids,
  }));
}

interface Relations {
  readonly schema: Schema;
  readonly input: PropertiesInput;
  readonly links: readonly GivenLinks[];
}

async function requireRows(
  { store }: Services,
  workspace: string,
  { schema, input, links }: Relations,
): Promise<void> {
  const ids = new Set(links.flatMap(({ ids }) => ids));
  if (ids.size === 0) return;
  const nodes = new Map((await store.nodes(workspace, [...ids])).map((node) => [node.id, node]));
  const issues = links.flatMap(({ property, ids }) => {
    const key = Object.keys(input).find((name) => findProperty(schema, name) === property);
    const pointer = pointerTo(pointerTo("/properties", key ?? property.name), "relation");
    return ids.flatMap((id, index) =>
      isRowOf(property, nodes.get(id)) ? [] : [noRow(id, `${pointer}/${index}/id`)]
    );
  });
  if (issues.length > 0) throw validationError(issues);
}

function isRowOf({ databaseId }: PropertyOf<"relation">, node: NodeView | undefined): boolean {
  return node?.kind === "page" && node.parentId === databaseId && node.trashRoot === null;
}

function noRow(id: string, pointer: string): ValidationIssue {
  return { pointer, detail: `Could not find page with ID: ${id} in the related database.` };
}
