/**
 * Writes of rows: what the values of a row need from other objects, and change in them.
 *
 * @module
 */
import type { PropertyOf, Schema } from "../../content/schema/property.ts";
import { sizeIssues } from "../../content/databases/issues.ts";
import { contentOf } from "../../content/databases/appearance.ts";
import type { Change, Edit } from "../../content/schema/node.ts";
import {
  addOptions,
  findProperty,
  type GivenLinks,
  linksIn,
  missingOptions,
  type PropertiesInput,
  relationsIn,
} from "../../content/properties/mod.ts";
import { validationError, type ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import { compileDatabase, type Database, withPendingSchema } from "../shared/database_cache.ts";
import type { Services } from "../shared/services.ts";
import { createRest, withRests } from "../../shared/yield_to_event_loop.ts";
import { listsOf } from "../../shared/portions.ts";

export interface RowsWriting {
  readonly workspace: string;
  readonly database: Database;
  readonly inputs: readonly RowValues[];
  readonly edit: Edit;
}

/** Values of a row. */
export interface RowValues {
  readonly input: PropertiesInput;
  /** JSON pointer to them in the body. */
  readonly pointer: string;
  /** ID of the row; absent from a new one, which nothing is linked to. */
  readonly id?: string;
}

/** The schema, changes and links that storing valid values requires. */
export interface PreparedRows {
  /** The schema with every option that the values name. */
  readonly database: Database;
  /** Changes of the database, not of the rows themselves. */
  readonly changes: readonly Change[];
  /** The links of each row. */
  readonly links: readonly (readonly GivenLinks[])[];
}

/**
 * Looks up the rows that relations name, and adds new options to the schema. Throws `validation_error`
 * if a relation names a row that is missing or in the trash, or if two relations contradict each other.
 */
export async function prepareRows(
  services: Services,
  { workspace, database, inputs, edit }: RowsWriting,
): Promise<PreparedRows> {
  const schema = database.doc.properties;
  const rows = inputs.map((values) => ({ ...values, links: linksIn(schema, values.input) }));
  await requireRows(services, workspace, { schema, rows });
  const links = rows.map((row) => row.links);
  const linked = expectedRows(links.flat());
  const missing = inputs.flatMap(({ input }) => missingOptions(schema, input));
  const { node } = database;
  if (missing.length === 0) {
    const expected = { op: "expect", id: node.id, version: node.version } as const;
    return { database, links, changes: [expected, ...linked] };
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
  const pending = withPendingSchema({ node, doc }, database.related);
  await withRests(compileDatabase(pending), createRest());
  return { database: pending, links, changes: [update, ...linked] };
}

/** Until the commit, other processes may move rows out of the database that they are linked in. */
function expectedRows(links: readonly GivenLinks[]): Change[] {
  return [...Map.groupBy(links, ({ property }) => property.databaseId)].flatMap(
    ([databaseId, some]): Change[] => {
      const ids = [...new Set(some.flatMap(({ ids }) => ids))];
      return ids.length === 0 ? [] : [{ op: "expectRows", databaseId, ids }];
    },
  );
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

/** Returns the changes that count the links of new rows on the relations for which none are given. */
export function newLinkCounts(
  schema: Schema,
  rows: readonly { readonly id: string; readonly links: readonly GivenLinks[] }[],
): Change[] {
  return relationsIn(schema).flatMap(({ id: propertyId, relationId, side }) => {
    const unlinked = rows.filter(({ links }) =>
      links.every(({ property }) => property.id !== propertyId)
    ).map(({ id }) => id);
    return unlinked.length === 0 ? [] : [{ op: "countLinks", relationId, side, rows: unlinked }];
  });
}

interface Relations {
  readonly schema: Schema;
  readonly rows: readonly LinkedRow[];
}

interface LinkedRow extends RowValues {
  readonly links: readonly GivenLinks[];
}

async function requireRows(
  services: Services,
  workspace: string,
  { schema, rows }: Relations,
): Promise<void> {
  const parents = await readParents(services, workspace, rows);
  const issues = rows.flatMap((row) =>
    row.links.flatMap((given) => {
      const { property, ids } = given;
      const place = pointerOf(schema, row, property);
      const missing = ids.flatMap((id, index) =>
        parents.get(id) === property.databaseId ? [] : [noRow(id, `${place}/${index}/id`)]
      );
      return [...missing, ...contradictions(row, given, place)];
    })
  );
  if (issues.length > 0) throw validationError(issues);
}

function pointerOf(
  schema: Schema,
  { input, pointer }: LinkedRow,
  property: PropertyOf<"relation">,
): string {
  const key = Object.keys(input).find((name) => findProperty(schema, name) === property);
  return pointerTo(pointerTo(pointer, key ?? property.name), "relation");
}

/** The issue of a relation that links a row to itself, or not, unlike the other side of the relation. */
function contradictions(
  { id, links }: LinkedRow,
  { property: { name, relationId, side }, ids }: GivenLinks,
  pointer: string,
): ValidationIssue[] {
  if (side === "from" || id === undefined) return [];
  const other = links.find(({ property }) =>
    property.relationId === relationId && property.side === "from"
  );
  if (other === undefined || other.ids.includes(id) === ids.includes(id)) return [];
  const detail = `\`${name}\` and \`${other.property.name}\` are two sides of one relation: both ` +
    `must name the row itself, or neither.`;
  return [{ pointer, detail }];
}

/** Pages that one statement looks up. */
const PORTION = 1_000;

/** Returns the parent of each page outside the trash that the rows link to, by its ID. */
async function readParents(
  { store }: Services,
  workspace: string,
  rows: readonly LinkedRow[],
): Promise<ReadonlyMap<string, string | null>> {
  const ids = [...new Set(rows.flatMap(({ links }) => links.flatMap(({ ids }) => ids)))];
  const parents = new Map<string, string | null>();
  const rest = createRest();
  for (const some of listsOf(ids, PORTION)) {
    // Without their documents, which may be long.
    for (const { id, kind, parentId } of await store.pageFacts(workspace, some)) {
      if (kind === "page") parents.set(id, parentId);
    }
    await rest();
  }
  return parents;
}

function noRow(id: string, pointer: string): ValidationIssue {
  return { pointer, detail: `Could not find page with ID: ${id} in the related database.` };
}
