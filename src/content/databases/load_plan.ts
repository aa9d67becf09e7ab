/**
 * Plans which related rows and names have to be loaded before values of rows can be computed.
 *
 * @module
 */
import type { RelatedReference } from "../formulas/environment.ts";
import { isComputed, type PropertyCompiler } from "./property_compiler.ts";
import type { Property, PropertyOf, Schema } from "../schema/property.ts";

export interface LoadRequest {
  readonly databaseId: string;
  /** Ids of the requested properties. */
  readonly propertyIds: ReadonlySet<string>;
  /** True if the names of users and rows in these properties are needed. */
  readonly byName: boolean;
  /** The values that formulas of related rows read across relations. */
  readonly references: readonly RelatedReference[];
}

export interface LoadPlan {
  /** The requested properties, and those of the same database that they are computed from. */
  readonly properties: ReadonlySet<Property>;
  /** The loads of related rows, one for each database. */
  readonly related: readonly RelatedLoad[];
  /** True if names of users are needed. */
  readonly readsNames: boolean;
}

/** Rows at the other end of these relations, for these properties or only their titles. */
export interface RelatedLoad extends LoadRequest {
  readonly relations: readonly PropertyOf<"relation">[];
}

/** Plans what to load for rows of a database. */
export function planLoad(
  schema: Schema,
  compile: PropertyCompiler,
  request: LoadRequest,
): LoadPlan {
  const planner = createPlanner(schema, compile, request);
  for (const id of request.propertyIds) planner.visit(id);
  if (request.byName) { for (const id of request.propertyIds) planner.namedIds.add(id); }
  const { properties, targets, namedIds, references } = planner;
  for (const property of properties) {
    if (property.type !== "relation" || !namedIds.has(property.id)) continue;
    const read = references.filter(({ databaseId }) => databaseId === property.databaseId);
    addTarget(targets, property, read.map(({ propertyId }) => propertyId));
  }
  return {
    properties,
    related: byDatabase(targets, references),
    readsNames: namedIds.size > 0,
  };
}

/** The properties to load of each relation's rows. */
type Targets = Map<PropertyOf<"relation">, Set<string>>;

interface Planner {
  readonly properties: Set<Property>;
  readonly targets: Targets;
  /** Ids of the properties whose names are read, for example by formulas. */
  readonly namedIds: Set<string>;
  readonly references: RelatedReference[];
  visit(id: string): void;
}

function createPlanner(schema: Schema, compile: PropertyCompiler, request: LoadRequest): Planner {
  const byId = new Map(schema.map((property) => [property.id, property]));
  const planner: Planner = {
    properties: new Set(),
    targets: new Map(),
    namedIds: new Set(),
    references: [...request.references],
    visit(id) {
      const property = byId.get(id);
      if (property === undefined || planner.properties.has(property)) return;
      planner.properties.add(property);
      if (!isComputed(property)) return;
      const { formula, rollup } = compile(request.databaseId, property);
      planner.references.push(...formula?.related ?? []);
      for (const read of formula?.propertyIds ?? []) {
        planner.namedIds.add(read);
        planner.visit(read);
      }
      if (rollup === undefined) return;
      planner.visit(rollup.relation.id);
      addTarget(planner.targets, rollup.relation, [rollup.target.id]);
    },
  };
  return planner;
}

function addTarget(
  targets: Targets,
  relation: PropertyOf<"relation">,
  propertyIds: readonly string[],
): void {
  targets.set(relation, new Set([...targets.get(relation) ?? [], ...propertyIds]));
}

function byDatabase(targets: Targets, references: readonly RelatedReference[]): RelatedLoad[] {
  const groups = Map.groupBy(targets, ([{ databaseId }]) => databaseId);
  return [...groups].map(([databaseId, relations]) => ({
    databaseId,
    relations: relations.map(([relation]) => relation),
    propertyIds: new Set(relations.flatMap(([, ids]) => [...ids])),
    byName: references.some((reference) => reference.databaseId === databaseId),
    references,
  }));
}
