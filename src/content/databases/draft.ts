/**
 * The schema that a request asks for, drawn before anything is written: what it is, what follows for
 * related databases, and everything that is wrong with it.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import { draftConfig } from "./configs.ts";
import type { KnownDatabase, Related } from "../schema/database.ts";
import { keyIssues, nameIssues, relatedIssue, sizeIssues, titleIssues } from "./issues.ts";
import { TITLE_ID, unusedId } from "./ids.ts";
import type { PropertyInput, PropertyUpdateInputs } from "./input.ts";
import { type Entry, matchEntries } from "./matching.ts";
import { dropOther, isShown, releaseOther, syncRelation } from "./relations.ts";
import { computedIssues, resolveReferences } from "./references.ts";
import type { Property, Schema } from "../schema/property.ts";
import { createTables, type Tables } from "./tables.ts";

export interface SchemaContext {
  /** Id of the database whose schema it is. */
  readonly id: string;
  /** Its plain title after the request. */
  readonly title: string;
  readonly related: Related;
  newId(): string;
  newPropertyId(): string;
}

export interface SchemaDraft {
  readonly schema: Schema;
  /** Other databases whose schema changes along, with their new one. */
  readonly others: readonly (readonly [KnownDatabase, Schema])[];
  /** Relations that no property shows any more. */
  readonly unlinked: readonly string[];
  readonly issues: readonly ValidationIssue[];
}

/** The draft of a schema after these changes; of a new database the schema before has nothing in it. */
export function draftSchema(
  before: Schema,
  inputs: PropertyUpdateInputs,
  context: SchemaContext,
): SchemaDraft {
  const issues: ValidationIssue[] = [];
  const entries = matchEntries(before, inputs, issues);
  const planned = drawProperties(before, entries, { ...context, issues });
  issues.push(...titleIssues(planned), ...keyIssues(planned), ...nameIssues(planned));
  const tables = createTables(context.id, planned.map(({ property }) => property), context.related);
  const work: SchemaDrafting = { before, planned, tables, issues, written: new Set() };
  syncRelations(work, context);
  resolveReferences(work, context.related);
  issues.push(...computedIssues(work));
  const schema = tables.schema(context.id) ?? [];
  const others = tables.changed();
  issues.push(...sizeIssues(schema), ...others.flatMap(([, changed]) => sizeIssues(changed)));
  return { schema, others, unlinked: unlinkedBy(before, tables), issues };
}

/** A property as it is drawn, and what of the request it follows from. */
export interface PlannedProperty {
  readonly property: Property;
  /** Undefined where the request says nothing of it. */
  readonly entry?: GivenEntry;
}

type GivenEntry = Entry & { readonly input: PropertyInput };

interface Drawing extends SchemaContext {
  readonly issues: ValidationIssue[];
}

function drawProperties(
  before: Schema,
  entries: readonly Entry[],
  drawing: Drawing,
): PlannedProperty[] {
  const known = new Map(entries.map((entry) => [entry.current, entry]));
  const planned: PlannedProperty[] = [];
  for (const property of before) {
    const entry = known.get(property);
    if (entry === undefined) planned.push({ property });
    else if (isGiven(entry)) planned.push({ property: draw(entry, property.id, drawing), entry });
  }
  for (const entry of entries.filter(isGiven)) {
    if (entry.current !== undefined) continue;
    const id = newIdOf(entry, planned.map(({ property }) => property), drawing);
    planned.push({ property: draw(entry, id, drawing), entry });
  }
  return planned;
}

function isGiven(entry: Entry): entry is GivenEntry {
  return entry.input !== null;
}

function newIdOf({ type }: Entry, schema: Schema, { newPropertyId }: Drawing): string {
  const isTitle = type === "title" && schema.every(({ id }) => id !== TITLE_ID);
  return isTitle ? TITLE_ID : unusedId(schema, newPropertyId);
}

function draw({ key, input, type, current, pointer }: GivenEntry, id: string, drawing: Drawing) {
  const name = input.name ?? current?.name ?? key;
  const { description = current?.description ?? null } = input;
  const common = { id, name, description: description || null };
  const config = type === undefined ? undefined : input[type];
  if (type === undefined || config === undefined) return { ...current, ...common } as Property;
  const at = { pointer: pointerTo(pointer, type), issues: drawing.issues, newId: drawing.newId };
  // Sound because `draftConfig` returns a configuration of the type that it was given.
  return { ...common, ...draftConfig(type, config, { ...at, current }) } as Property;
}

/** A draft under way. */
export interface SchemaDrafting {
  readonly before: Schema;
  readonly planned: readonly PlannedProperty[];
  readonly tables: Tables;
  readonly issues: ValidationIssue[];
  /** Ids of formulas that stand there as the client wrote them. */
  readonly written: Set<string>;
}

function syncRelations(
  { before, planned, tables, issues }: SchemaDrafting,
  context: SchemaContext,
): void {
  const now = new Map(planned.map(({ property }) => [property.id, property]));
  for (const old of before) {
    if (old.type !== "relation") continue;
    const relation = now.get(old.id);
    if (relation?.type !== "relation") releaseOther(old, tables);
    else if (relation.databaseId !== old.databaseId) dropOther(old, tables);
  }
  for (const { property, entry } of planned) {
    const config = entry?.input.relation;
    const relation = tables.property(tables.id, property.id);
    if (entry === undefined || config === undefined || relation?.type !== "relation") continue;
    const isDual = "dual_property" in config;
    const issue = relatedIssue({
      relation,
      isDual,
      tables,
      pointer: entry.pointer,
      old: entry.current,
    });
    if (issue !== undefined) issues.push(issue);
    else {
      const name = isDual ? config.dual_property.synced_property_name : undefined;
      syncRelation(relation, tables, { ...context, isDual, name });
    }
  }
}

/** Relations that were shown before and are not any more. */
function unlinkedBy(before: Schema, tables: Tables): string[] {
  const relations = before.filter((property) => property.type === "relation");
  const gone = relations.filter((relation) => !isShown(relation, tables));
  return [...new Set(gone.map(({ relationId }) => relationId))];
}
