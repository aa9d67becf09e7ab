/**
 * Drafts the schema that a request asks for, before anything is stored: the new schema, the changes
 * of related databases, and all issues.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import { draftConfig } from "./configs.ts";
import type { Related, StoredDatabase } from "../schema/database.ts";
import { keyIssues, nameIssues, relatedIssue, sizeIssues, titleIssues } from "./issues.ts";
import type { PropertyInput, PropertyUpdateInputs } from "./input.ts";
import { type Entry, matchEntries } from "./match_entries.ts";
import { relationsIn } from "../properties/relations_in.ts";
import { dropOther, isShown, releaseOther, syncRelation } from "./relations.ts";
import { computedIssueSteps, resolveReferences } from "./references.ts";
import type { Property, Schema } from "../schema/property.ts";
import {
  createPendingSchemas,
  type PendingSchemas,
  TITLE_ID,
  unusedId,
} from "./pending_schemas.ts";

export interface SchemaContext {
  /** Id of the database that has the schema. */
  readonly id: string;
  /** Plain title of the database after the request. */
  readonly title: string;
  readonly related: Related;
  newId(): string;
  newPropertyId(): string;
}

export interface SchemaDraft {
  readonly schema: Schema;
  /** Other databases that change with it, and their new schemas. */
  readonly others: readonly (readonly [StoredDatabase, Schema])[];
  /** Relations that no property shows any longer. */
  readonly unlinked: readonly string[];
  readonly issues: readonly ValidationIssue[];
}

/** Drafts a schema in steps. For a new database, `before` is empty. */
export function* draftSchemaSteps(
  before: Schema,
  inputs: PropertyUpdateInputs,
  context: SchemaContext,
): Generator<void, SchemaDraft, void> {
  const issues: ValidationIssue[] = [];
  const entries = matchEntries(before, inputs, issues);
  const planned = planProperties(before, entries, { ...context, issues });
  issues.push(...titleIssues(planned), ...keyIssues(planned), ...nameIssues(planned));
  const schemas = createPendingSchemas(
    context.id,
    planned.map(({ property }) => property),
    context.related,
  );
  const drafting: SchemaDrafting = { before, planned, schemas, issues, written: new Set() };
  syncRelations(drafting, context);
  resolveReferences(drafting, context.related);
  issues.push(...yield* computedIssueSteps(drafting));
  const schema = schemas.schema(context.id) ?? [];
  const others = schemas.changed();
  issues.push(...sizeIssues(schema), ...others.flatMap(([, changed]) => sizeIssues(changed)));
  return { schema, others, unlinked: unlinkedBy(before, schemas), issues };
}

/** A property as it will be stored, and the part of the request that it follows from. */
export interface PlannedProperty {
  readonly property: Property;
  /** Undefined if the request does not mention the property. */
  readonly entry?: PropertyEntry;
}

type PropertyEntry = Entry & { readonly input: PropertyInput };

interface PlanContext extends SchemaContext {
  readonly issues: ValidationIssue[];
}

function planProperties(
  before: Schema,
  entries: readonly Entry[],
  drawing: PlanContext,
): PlannedProperty[] {
  const entryOf = new Map(entries.map((entry) => [entry.current, entry]));
  const planned: PlannedProperty[] = [];
  for (const property of before) {
    const entry = entryOf.get(property);
    if (entry === undefined) planned.push({ property });
    else if (hasInput(entry)) {
      planned.push({ property: planProperty(entry, property.id, drawing), entry });
    }
  }
  for (const entry of entries.filter(hasInput)) {
    if (entry.current !== undefined) continue;
    const id = newIdOf(entry, planned.map(({ property }) => property), drawing);
    planned.push({ property: planProperty(entry, id, drawing), entry });
  }
  return planned;
}

function hasInput(entry: Entry): entry is PropertyEntry {
  return entry.input !== null;
}

function newIdOf({ type }: Entry, schema: Schema, { newPropertyId }: PlanContext): string {
  const isTitle = type === "title" && schema.every(({ id }) => id !== TITLE_ID);
  return isTitle ? TITLE_ID : unusedId(schema, newPropertyId);
}

function planProperty(
  { key, input, type, current, pointer }: PropertyEntry,
  id: string,
  drawing: PlanContext,
) {
  const name = input.name ?? current?.name ?? key;
  const { description = current?.description ?? null } = input;
  const common = { id, name, description: description || null };
  const config = type === undefined ? undefined : input[type];
  if (type === undefined || config === undefined) return { ...current, ...common } as Property;
  const at = { pointer: pointerTo(pointer, type), issues: drawing.issues, newId: drawing.newId };
  // Sound because `draftConfig` returns a configuration of the type that it receives.
  return { ...common, ...draftConfig(type, config, { ...at, current }) } as Property;
}

/** The state of a draft. */
export interface SchemaDrafting {
  readonly before: Schema;
  readonly planned: readonly PlannedProperty[];
  readonly schemas: PendingSchemas;
  readonly issues: ValidationIssue[];
  /** Ids of formulas that still have the form that the client wrote, with names. */
  readonly written: Set<string>;
}

function syncRelations(
  { before, planned, schemas, issues }: SchemaDrafting,
  context: SchemaContext,
): void {
  const now = new Map(planned.map(({ property }) => [property.id, property]));
  for (const old of before) {
    if (old.type !== "relation") continue;
    const relation = now.get(old.id);
    if (relation?.type !== "relation") releaseOther(old, schemas);
    else if (relation.databaseId !== old.databaseId) dropOther(old, schemas);
  }
  for (const { property, entry } of planned) {
    const config = entry?.input.relation;
    const relation = schemas.property(schemas.id, property.id);
    if (entry === undefined || config === undefined || relation?.type !== "relation") continue;
    const isDual = "dual_property" in config;
    const issue = relatedIssue({
      relation,
      isDual,
      schemas,
      pointer: entry.pointer,
      old: entry.current,
    });
    if (issue !== undefined) issues.push(issue);
    else {
      const name = isDual ? config.dual_property.synced_property_name : undefined;
      syncRelation(relation, schemas, { ...context, isDual, name });
    }
  }
}

/** Relations that were shown before and no longer are. */
function unlinkedBy(before: Schema, schemas: PendingSchemas): string[] {
  const gone = relationsIn(before).filter((relation) => !isShown(relation, schemas));
  return [...new Set(gone.map(({ relationId }) => relationId))];
}
