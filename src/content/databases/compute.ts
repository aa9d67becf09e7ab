/**
 * What one formula or rollup gives.
 *
 * @module
 */
import type { FormulaBindings } from "../formulas/environment.ts";
import { issueSentence } from "../formulas/issues.ts";
import { compileFormula } from "../formulas/formula.ts";
import { rollupType, schemaBindings, typeOfProperty } from "../formulas/properties.ts";
import {
  EMPTY_TYPE,
  type FormulaResultType,
  type FormulaType,
  resultTypeOf,
  TEXT,
} from "../formulas/types.ts";
import type {
  Computed,
  ComputedProblem,
  ComputedProperty,
  Computing,
  IsWritten,
  SchemaOf,
} from "./computed.ts";
import { kindOf } from "../properties/registry.ts";
import { type RollupNeed, rollupSignature } from "../schema/rollup_functions.ts";
import type { Property, PropertyOf } from "../schema/property.ts";

/** Where a property stands, and how what it depends on is found. */
export interface ComputeContext {
  readonly databaseId: string;
  readonly schemaOf: SchemaOf;
  readonly isWritten: IsWritten;
  readonly visit: Computing;
}

/** What a property gives, by what those give that it depends on. */
export function compute(property: ComputedProperty, place: ComputeContext): Computed {
  return property.type === "formula" ? formula(property, place) : rollup(property, place);
}

/** Of what gives nothing, with the reasons. */
export function failed(member: ComputedProblem["member"], ...details: readonly string[]): Computed {
  const problems = details.map((detail) => ({ member, detail }));
  return { kind: undefined, type: undefined, problems, height: 1, tables: 1 };
}

function formula({ id, expression }: PropertyOf<"formula">, place: ComputeContext): Computed {
  if (expression.trim() === "") {
    return { kind: "string", type: EMPTY_TYPE, problems: [], height: 1, tables: 1 };
  }
  const reached: Reached = { height: 0, tables: 1 };
  const by = place.isWritten(place.databaseId, id) ? "name" : "id";
  const compiled = compileFormula(expression, scopeOf(place, { by, reached, hops: 0 }));
  if (!("evaluate" in compiled)) return failed("expression", ...compiled.map(issueSentence));
  const { type, resultType: kind } = compiled;
  const { height, tables } = reached;
  return { kind, type, formula: compiled, problems: [], height: height + 1, tables };
}

interface Reached {
  height: number;
  tables: number;
}

/** How properties are named, and how far from the formula that is. */
interface Way {
  readonly by: "name" | "id";
  readonly reached: Reached;
  /** How many relations lead here from the formula. */
  readonly hops: number;
}

function scopeOf(place: ComputeContext, way: Way): FormulaBindings {
  const { databaseId, schemaOf, visit } = place;
  const { by, reached, hops } = way;
  const computed = (property: ComputedProperty): FormulaType | undefined => {
    const { type, height, tables } = visit(databaseId, property);
    reached.height = Math.max(reached.height, height);
    reached.tables = Math.max(reached.tables, hops + tables);
    return type;
  };
  return schemaBindings(schemaOf(databaseId) ?? [], {
    by,
    typeOf(property) {
      reached.tables = Math.max(reached.tables, hops + 1);
      return typeOfProperty(property, computed);
    },
    related: (id) =>
      schemaOf(id) && scopeOf({ ...place, databaseId: id }, { ...way, hops: hops + 1 }),
  });
}

function rollup(
  property: PropertyOf<"rollup">,
  { databaseId, schemaOf, visit }: ComputeContext,
): Computed {
  const relation = schemaOf(databaseId)?.find(({ id }) => id === property.relationPropertyId);
  if (relation?.type !== "relation") return failed("", "Its relation is gone.");
  const target = schemaOf(relation.databaseId)
    ?.find(({ id }) => id === property.rollupPropertyId);
  if (target === undefined) return failed("", "The property that it collects is gone.");
  if (kindOf(target).collect === undefined) {
    return failed("rollup_property_id", `A rollup can't collect a \`${target.type}\`.`);
  }
  const inner = target.type === "formula" ? visit(relation.databaseId, target) : undefined;
  const signature = rollupSignature(property.function);
  if (signature === undefined) return failed("function", "There is no such function.");
  const { needs, gives } = signature;
  const mismatch = mismatchOf(property.function, needs, { target, inner });
  if (mismatch !== undefined) return failed("function", mismatch);
  const type = typeOfProperty(target, () => inner?.type && asAnswered(inner.type));
  return {
    kind: gives,
    type: type && rollupType(property.function, type),
    rollup: { relation, target },
    problems: [],
    height: 1 + (inner?.height ?? 0),
    tables: 1 + (inner?.tables ?? 1),
  };
}

/** A rollup collects answers, in which lists, people and pages are text. */
function asAnswered(type: FormulaType): FormulaType {
  return resultTypeOf(type) === "string" ? TEXT : type;
}

/** Whether a function of this need can take values of a property, or of a formula's result type. */
function isFitting(need: RollupNeed, target: Property, result: FormulaResultType | undefined) {
  if (need === "status") return target.type === "status";
  const needed = need === "checkbox" ? "boolean" : need;
  return needed === (target.type === "formula" ? result : kindOf(target).formula?.type);
}

interface Collected {
  readonly target: Property;
  /** What the target is computed to, where it is a formula. */
  readonly inner: Computed | undefined;
}

function mismatchOf(
  name: string,
  needs: RollupNeed,
  { target, inner }: Collected,
): string | undefined {
  if (needs === "any") return undefined;
  const result = inner?.type && resultTypeOf(inner.type);
  if (isFitting(needs, target, result)) return undefined;
  const what = target.type === "formula"
    ? `a formula that gives ${result ?? "nothing"}`
    : target.type;
  return `\`${name}\` needs values of type ${needs}, but \`${target.name}\` is ${what}.`;
}
