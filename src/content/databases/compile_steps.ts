/**
 * Compiles the properties of a database one after another, those that they depend on first: a formula
 * may be long, and may depend on formulas of hundreds of databases.
 *
 * @module
 */
import { storedReferences } from "../formulas/references.ts";
import { LIMITS } from "../values/limits.ts";
import { lazy } from "../../shared/lazy.ts";
import type { PropertyOf, Schema } from "../schema/property.ts";
import {
  type ComputedProperty,
  isComputed,
  type IsWritten,
  type PropertyCompiler,
  type SchemaOf,
} from "./property_compiler.ts";

interface Step {
  readonly databaseId: string;
  readonly property: ComputedProperty;
  /** True if what it depends on comes before it. */
  readonly isReady?: true;
}

export interface CompileStepsOptions {
  readonly compile: PropertyCompiler;
  readonly schemaOf: SchemaOf;
  readonly isWritten?: IsWritten;
}

/** Compiles these properties of a database. Returns how long their expressions are in all. */
export function* compileSteps(
  databaseId: string,
  properties: Schema,
  { compile, schemaOf, isWritten = () => false }: CompileStepsOptions,
): Generator<void, number, void> {
  const named = lazy(() => nearByName(schemaOf(databaseId) ?? [], schemaOf));
  const found = new Set<ComputedProperty>();
  const compiled = new Set<ComputedProperty>();
  const steps: Step[] = properties.filter(isComputed).map((property) => ({ databaseId, property }))
    .reverse();
  let length = 0;
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { property } = step;
    if (compiled.has(property)) continue;
    // One that comes again before it is compiled depends on itself: the compiler tells how.
    if (step.isReady || found.has(property)) {
      compile(step.databaseId, property);
      compiled.add(property);
      if (property.type === "formula") length += property.expression.length;
      // The compiler refuses the others.
      if (length > LIMITS.expressions) return length;
    } else {
      found.add(property);
      const isNamed = step.databaseId === databaseId && isWritten(databaseId, property.id);
      steps.push({ ...step, isReady: true });
      for (const other of dependenciesOf(step, isNamed ? named() : new Map(), schemaOf)) {
        steps.push(other);
      }
    }
    yield;
  }
  return length;
}

type ByName = ReadonlyMap<string, readonly Step[]>;

/** The computed properties of a database, and of those that it is related to, by their names. */
function nearByName(schema: Schema, schemaOf: SchemaOf): ByName {
  const related = new Set(
    schema.flatMap((property) => property.type === "relation" ? [property.databaseId] : []),
  );
  const near = [...related].flatMap((databaseId) => computedIn(databaseId, schemaOf));
  return Map.groupBy(near, ({ property }) => property.name);
}

function computedIn(databaseId: string, schemaOf: SchemaOf): Step[] {
  return (schemaOf(databaseId) ?? []).filter(isComputed).map((property) => ({
    databaseId,
    property,
  }));
}

/** Returns what a property is computed from, and perhaps others that have the same name. */
function dependenciesOf(
  { databaseId, property }: Step,
  named: ByName,
  schemaOf: SchemaOf,
): Step[] {
  const own = schemaOf(databaseId) ?? [];
  if (property.type === "rollup") return collectedBy(property, own, schemaOf);
  return storedReferences(property.expression).flatMap((reference) => {
    const of = reference.databaseId ?? databaseId;
    const other = schemaOf(of)?.find(({ id, name }) =>
      id === reference.propertyId || named.size > 0 && name === reference.propertyId
    );
    const exact = other !== undefined && isComputed(other)
      ? [{ databaseId: of, property: other }]
      : [];
    return [...exact, ...named.get(reference.propertyId) ?? []];
  });
}

function collectedBy(
  { relationPropertyId, rollupPropertyId }: PropertyOf<"rollup">,
  own: Schema,
  schemaOf: SchemaOf,
): Step[] {
  const relation = own.find(({ id }) => id === relationPropertyId);
  if (relation?.type !== "relation") return [];
  return computedIn(relation.databaseId, schemaOf)
    .filter(({ property }) => property.id === rollupPropertyId);
}
