/**
 * The schema that a request asks for, drawn before anything is written: what it is, what follows for
 * related databases, and everything that is wrong with it.
 *
 * @module
 */
import type { Fault } from "../../errors.ts";
import { pointerTo } from "../../faults.ts";
import { draftConfig } from "./configs.ts";
import type { KnownDatabase, Related } from "./database.ts";
import { keyFaults, nameFaults, relatedFault, sizeFaults, titleFaults } from "./faults.ts";
import { TITLE_ID, unusedId } from "./ids.ts";
import type { PropertyInput, PropertyUpdateInputs } from "./input.ts";
import { type Entry, matchEntries } from "./matching.ts";
import { dropOther, isShown, releaseOther, syncRelation } from "./relations.ts";
import { computedFaults, resolveReferences } from "./references.ts";
import type { Property, Schema } from "./schema.ts";
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
  readonly faults: readonly Fault[];
}

/** The draft of a schema after these changes; of a new database the schema before has nothing in it. */
export function draftSchema(
  before: Schema,
  inputs: PropertyUpdateInputs,
  context: SchemaContext,
): SchemaDraft {
  const faults: Fault[] = [];
  const entries = matchEntries(before, inputs, faults);
  const drawn = drawProperties(before, entries, { ...context, faults });
  faults.push(...titleFaults(drawn), ...keyFaults(drawn), ...nameFaults(drawn));
  const tables = createTables(context.id, drawn.map(({ property }) => property), context.related);
  const work: Work = { before, drawn, tables, faults, written: new Set() };
  syncRelations(work, context);
  resolveReferences(work, context.related);
  faults.push(...computedFaults(work));
  const schema = tables.schema(context.id) ?? [];
  const others = tables.changed();
  faults.push(...sizeFaults(schema), ...others.flatMap(([, changed]) => sizeFaults(changed)));
  return { schema, others, unlinked: unlinkedBy(before, tables), faults };
}

/** A property as it is drawn, and what of the request it follows from. */
export interface Drawn {
  readonly property: Property;
  /** Undefined where the request says nothing of it. */
  readonly entry?: GivenEntry;
}

type GivenEntry = Entry & { readonly input: PropertyInput };

interface Drawing extends SchemaContext {
  readonly faults: Fault[];
}

function drawProperties(before: Schema, entries: readonly Entry[], drawing: Drawing): Drawn[] {
  const known = new Map(entries.map((entry) => [entry.current, entry]));
  const drawn: Drawn[] = [];
  for (const property of before) {
    const entry = known.get(property);
    if (entry === undefined) drawn.push({ property });
    else if (isGiven(entry)) drawn.push({ property: draw(entry, property.id, drawing), entry });
  }
  for (const entry of entries.filter(isGiven)) {
    if (entry.current !== undefined) continue;
    const id = newIdOf(entry, drawn.map(({ property }) => property), drawing);
    drawn.push({ property: draw(entry, id, drawing), entry });
  }
  return drawn;
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
  const at = { pointer: pointerTo(pointer, type), faults: drawing.faults, newId: drawing.newId };
  // Sound because `draftConfig` answers a configuration of the type that it was given.
  return { ...common, ...draftConfig(type, config, { current, drafting: at }) } as Property;
}

/** A draft under way. */
export interface Work {
  readonly before: Schema;
  readonly drawn: readonly Drawn[];
  readonly tables: Tables;
  readonly faults: Fault[];
  /** Ids of formulas that stand there as the client wrote them. */
  readonly written: Set<string>;
}

function syncRelations({ before, drawn, tables, faults }: Work, context: SchemaContext): void {
  const now = new Map(drawn.map(({ property }) => [property.id, property]));
  for (const old of before) {
    if (old.type !== "relation") continue;
    const relation = now.get(old.id);
    if (relation?.type !== "relation") releaseOther(old, tables);
    else if (relation.databaseId !== old.databaseId) dropOther(old, tables);
  }
  for (const { property, entry } of drawn) {
    const config = entry?.input.relation;
    const relation = tables.property(tables.id, property.id);
    if (entry === undefined || config === undefined || relation?.type !== "relation") continue;
    const isDual = "dual_property" in config;
    const fault = relatedFault({
      relation,
      isDual,
      tables,
      pointer: entry.pointer,
      old: entry.current,
    });
    if (fault !== undefined) faults.push(fault);
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
