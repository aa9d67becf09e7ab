/**
 * What has to be read before values of rows can be computed.
 *
 * @module
 */
import type { RelatedReference } from "../formulas/environment.ts";
import { type Computing, isComputed } from "./computed.ts";
import type { Property, PropertyOf, Schema } from "../schema/property.ts";

export interface Wanted {
  readonly databaseId: string;
  /** Ids of the properties that are asked for. */
  readonly propertyIds: ReadonlySet<string>;
  /** Whether users and rows that they show are asked for by name. */
  readonly byName: boolean;
  /** What formulas of the rows that lead here read across relations. */
  readonly references: readonly RelatedReference[];
}

export interface Needs {
  /** The properties that are asked for, and those of the same database that they are computed from. */
  readonly properties: ReadonlySet<Property>;
  /** What is asked of the related rows; of all rows of one database together. */
  readonly related: readonly RelatedNeed[];
  /** Whether anything reads who people are. */
  readonly readsNames: boolean;
}

/** Rows at the other end of these relations, asked for these properties or their titles alone. */
export interface RelatedNeed extends Wanted {
  readonly relations: readonly PropertyOf<"relation">[];
}

/** What rows of a database have to be asked for. */
export function needsOf(schema: Schema, computing: Computing, wanted: Wanted): Needs {
  const reading = createReading(schema, computing, wanted);
  for (const id of wanted.propertyIds) reading.visit(id);
  if (wanted.byName) { for (const id of wanted.propertyIds) reading.named.add(id); }
  const { properties, targets, named, references } = reading;
  for (const property of properties) {
    if (property.type !== "relation" || !named.has(property.id)) continue;
    const read = references.filter(({ databaseId }) => databaseId === property.databaseId);
    ask(targets, property, read.map(({ propertyId }) => propertyId));
  }
  return {
    properties,
    related: byDatabase(targets, references),
    readsNames: named.size > 0,
  };
}

/** Of each relation the properties that its rows are asked for. */
type Targets = Map<PropertyOf<"relation">, Set<string>>;

interface Reading {
  readonly properties: Set<Property>;
  readonly targets: Targets;
  /** Ids of the properties of which names are read: by formulas, for one. */
  readonly named: Set<string>;
  readonly references: RelatedReference[];
  visit(id: string): void;
}

function createReading(schema: Schema, computing: Computing, wanted: Wanted): Reading {
  const byId = new Map(schema.map((property) => [property.id, property]));
  const reading: Reading = {
    properties: new Set(),
    targets: new Map(),
    named: new Set(),
    references: [...wanted.references],
    visit(id) {
      const property = byId.get(id);
      if (property === undefined || reading.properties.has(property)) return;
      reading.properties.add(property);
      if (!isComputed(property)) return;
      const { formula, rollup } = computing(wanted.databaseId, property);
      reading.references.push(...formula?.related ?? []);
      for (const read of formula?.propertyIds ?? []) {
        reading.named.add(read);
        reading.visit(read);
      }
      if (rollup === undefined) return;
      reading.visit(rollup.relation.id);
      ask(reading.targets, rollup.relation, [rollup.target.id]);
    },
  };
  return reading;
}

function ask(
  targets: Targets,
  relation: PropertyOf<"relation">,
  propertyIds: readonly string[],
): void {
  targets.set(relation, new Set([...targets.get(relation) ?? [], ...propertyIds]));
}

function byDatabase(targets: Targets, references: readonly RelatedReference[]): RelatedNeed[] {
  const groups = Map.groupBy(targets, ([{ databaseId }]) => databaseId);
  return [...groups].map(([databaseId, asked]) => ({
    databaseId,
    relations: asked.map(([relation]) => relation),
    propertyIds: new Set(asked.flatMap(([, ids]) => [...ids])),
    byName: references.some((reference) => reference.databaseId === databaseId),
    references,
  }));
}
