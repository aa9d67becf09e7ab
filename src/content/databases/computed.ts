/**
 * What formulas and rollups give, worked out in the order that they depend on one another, through
 * relations into other databases too.
 *
 * @module
 */
import { faultSentence } from "../formulas/faults.ts";
import type { FormulaScope } from "../formulas/environment.ts";
import { type CompiledFormula, compileFormula } from "../formulas/formula.ts";
import { rollupType, schemaScope, typeOfProperty } from "../formulas/properties.ts";
import {
  EMPTY_TYPE,
  type FormulaResultType,
  type FormulaType,
  resultTypeOf,
} from "../formulas/types.ts";
import { LIMITS } from "../limits.ts";
import { type RollupNeed, type RollupResultType, rollupSignature } from "./rollup_functions.ts";
import type { Property, PropertyOf, Schema } from "./schema.ts";

/** How many properties may be computed one from the other. */
export const MAX_CHAIN = 100;

export type ComputedProperty = PropertyOf<"formula"> | PropertyOf<"rollup">;

/** What is known of a formula or rollup before any row is read. */
export interface Computed {
  /** What its value is on the wire; undefined where it gives nothing. */
  readonly kind: FormulaResultType | RollupResultType | undefined;
  /** What other formulas take its value for; undefined where they cannot read it. */
  readonly type: FormulaType | undefined;
  /** Of a formula that can be evaluated. */
  readonly formula?: CompiledFormula;
  /** Of a rollup that can be evaluated: the relation, and the property of the related database. */
  readonly rollup?: {
    readonly relation: PropertyOf<"relation">;
    readonly target: Property;
  };
  /** Why it gives nothing. */
  readonly problems: readonly ComputedProblem[];
  /** How many properties are computed on the longest way below it, itself among them. */
  readonly height: number;
  /** How many tables that leads through, its own among them. */
  readonly tables: number;
}

export interface ComputedProblem {
  /** Member of the configuration that it is about; `""` for all of it. */
  readonly member: "" | "expression" | "function" | "rollup_property_id";
  readonly detail: string;
}

/** What a formula or rollup of a database gives; worked out once. */
export type Computing = (databaseId: string, property: ComputedProperty) => Computed;

/** Whether a property is a formula or a rollup. */
export function isComputed(property: Property): property is ComputedProperty {
  return property.type === "formula" || property.type === "rollup";
}

/** The schema of a database; undefined of one that is not known. */
export type SchemaOf = (databaseId: string) => Schema | undefined;

/** Whether a formula stands in its schema as a client wrote it, with names. */
export type IsWritten = (databaseId: string, propertyId: string) => boolean;

/** Works out what formulas and rollups give, in any of the databases whose schema is known. */
export function createComputing(
  schemaOf: SchemaOf,
  isWritten: IsWritten = () => false,
): Computing {
  const known = new Map<string, Computed>();
  const path: Step[] = [];
  const visit: Computing = (databaseId, property) => {
    const key = keyOf(databaseId, property);
    const start = path.findIndex((step) => step.key === key);
    if (start >= 0) return cyclic(path.slice(start));
    const found = known.get(key);
    if (found !== undefined) return found;
    if (path.length === MAX_CHAIN) throw new ChainTooLong(databaseId, property);
    const step: Step = { key, name: property.name };
    path.push(step);
    const computed = compute(property, { databaseId, schemaOf, isWritten, visit });
    path.pop();
    const checked = bounded(step.cycle === undefined ? computed : failed("", step.cycle));
    known.set(key, checked);
    return checked;
  };
  return (databaseId, property) => {
    const started = new Set<string>();
    const start: Computing = (of, one) => {
      const key = keyOf(of, one);
      // So long a way that leads back to where it began.
      if (started.has(key)) known.set(key, failed("", CHAIN_TOO_LONG));
      started.add(key);
      for (;;) {
        try {
          return visit(of, one);
        } catch (error) {
          if (!(error instanceof ChainTooLong)) throw error;
          path.length = 0;
          // What lies below is known then, and the way there is short.
          start(error.databaseId, error.property);
        }
      }
    };
    return start(databaseId, property);
  };
}

function keyOf(databaseId: string, { id }: ComputedProperty): string {
  return `${databaseId}/${id}`;
}

/** Ends the way down at this property; it never leaves `createComputing`. */
class ChainTooLong extends Error {
  readonly databaseId: string;
  readonly property: ComputedProperty;

  constructor(databaseId: string, property: ComputedProperty) {
    super();
    this.databaseId = databaseId;
    this.property = property;
  }
}

const CHAIN_TOO_LONG = `At most ${MAX_CHAIN} properties are computed one from the other.`;

/** A property on the way from the one that is asked for to what it depends on. */
interface Step {
  readonly key: string;
  readonly name: string;
  /** The sentence about the cycle that it is part of. */
  cycle?: string;
}

function cyclic(steps: readonly Step[]): Computed {
  const names = [...steps, ...steps.slice(0, 1)].map(({ name }) => name).join(" → ");
  const detail = `A property can't be computed from itself: ${names}.`;
  for (const step of steps) step.cycle = detail;
  return failed("", detail);
}

function failed(member: ComputedProblem["member"], ...details: readonly string[]): Computed {
  const problems = details.map((detail) => ({ member, detail }));
  return { kind: undefined, type: undefined, problems, height: 1, tables: 1 };
}

function bounded(computed: Computed): Computed {
  if (computed.height > MAX_CHAIN) return failed("", CHAIN_TOO_LONG);
  if (computed.tables <= LIMITS.formulaDepth) return computed;
  return failed("", `A value is computed through at most ${LIMITS.formulaDepth} databases.`);
}

interface Place {
  readonly databaseId: string;
  readonly schemaOf: SchemaOf;
  readonly isWritten: IsWritten;
  readonly visit: Computing;
}

function compute(property: ComputedProperty, place: Place): Computed {
  return property.type === "formula" ? formula(property, place) : rollup(property, place);
}

function formula({ id, expression }: PropertyOf<"formula">, place: Place): Computed {
  if (expression.trim() === "") {
    return { kind: "string", type: EMPTY_TYPE, problems: [], height: 1, tables: 1 };
  }
  const reached: Reached = { height: 0, tables: 1 };
  const by = place.isWritten(place.databaseId, id) ? "name" : "id";
  const compiled = compileFormula(expression, scopeOf(place, { by, reached, hops: 0 }));
  if (!("evaluate" in compiled)) return failed("expression", ...compiled.map(faultSentence));
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

function scopeOf(place: Place, way: Way): FormulaScope {
  const { databaseId, schemaOf, visit } = place;
  const { by, reached, hops } = way;
  const computed = (property: ComputedProperty): FormulaType | undefined => {
    const { type, height, tables } = visit(databaseId, property);
    reached.height = Math.max(reached.height, height);
    reached.tables = Math.max(reached.tables, hops + tables);
    return type;
  };
  return schemaScope(schemaOf(databaseId) ?? [], {
    by,
    typeOf(property) {
      reached.tables = Math.max(reached.tables, hops + 1);
      return typeOfProperty(property, computed);
    },
    related: (id) =>
      schemaOf(id) && scopeOf({ ...place, databaseId: id }, { ...way, hops: hops + 1 }),
  });
}

function rollup(property: PropertyOf<"rollup">, { databaseId, schemaOf, visit }: Place): Computed {
  const relation = schemaOf(databaseId)?.find(({ id }) => id === property.relationPropertyId);
  if (relation?.type !== "relation") return failed("", "Its relation is gone.");
  const target = schemaOf(relation.databaseId)
    ?.find(({ id }) => id === property.rollupPropertyId);
  if (target === undefined) return failed("", "The property that it collects is gone.");
  if (target.type === "rollup" || target.type === "button") {
    return failed("rollup_property_id", `A rollup can't collect a \`${target.type}\`.`);
  }
  const inner = target.type === "formula" ? visit(relation.databaseId, target) : undefined;
  const signature = rollupSignature(property.function);
  if (signature === undefined) return failed("function", "There is no such function.");
  const { needs, gives } = signature;
  const mismatch = mismatchOf(property.function, needs, { target, inner });
  if (mismatch !== undefined) return failed("function", mismatch);
  const type = typeOfProperty(target, () => inner?.type);
  return {
    kind: gives,
    type: type && rollupType(property.function, type),
    rollup: { relation, target },
    problems: [],
    height: 1 + (inner?.height ?? 0),
    tables: 1 + (inner?.tables ?? 1),
  };
}

const FITTING: Readonly<Record<Exclude<RollupNeed, "any">, ReadonlySet<string>>> = {
  number: new Set(["number"]),
  date: new Set(["date", "created_time", "last_edited_time"]),
  checkbox: new Set(["checkbox", "boolean"]),
  status: new Set(["status"]),
};

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
  const given = target.type === "formula" ? inner?.type && resultTypeOf(inner.type) : target.type;
  if (given !== undefined && FITTING[needs].has(given)) return undefined;
  const what = target.type === "formula" ? `a formula that gives ${given ?? "nothing"}` : given;
  return `\`${name}\` needs values of type ${needs}, but \`${target.name}\` is ${what}.`;
}
