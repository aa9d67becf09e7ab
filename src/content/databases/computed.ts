/**
 * What formulas and rollups give, worked out in the order that they depend on one another, through
 * relations into other databases too.
 *
 * @module
 */
import type { CompiledFormula } from "../formulas/formula.ts";
import type { FormulaResultType, FormulaType } from "../formulas/types.ts";
import { LIMITS } from "../values/limits.ts";
import { compute, failed } from "./compute.ts";
import type { RollupResultType } from "../schema/rollup_functions.ts";
import type { Property, PropertyOf, Schema } from "../schema/property.ts";

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
  return (databaseId, property) =>
    settle(databaseId, property, { visit, known, path, started: new Set() });
}

interface Settling {
  readonly visit: Computing;
  readonly known: Map<string, Computed>;
  readonly path: Step[];
  /** Keys of the properties that are being settled. */
  readonly started: Set<string>;
}

/** Visits a property, however long the way down is: where it is too long, from below first. */
function settle(databaseId: string, property: ComputedProperty, settling: Settling): Computed {
  const { visit, known, path, started } = settling;
  const key = keyOf(databaseId, property);
  // So long a way that leads back to where it began.
  if (started.has(key)) known.set(key, failed("", CHAIN_TOO_LONG));
  started.add(key);
  for (;;) {
    try {
      return visit(databaseId, property);
    } catch (error) {
      if (!(error instanceof ChainTooLong)) throw error;
      path.length = 0;
      // What lies below is known then, and the way there is short.
      settle(error.databaseId, error.property, settling);
    }
  }
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

function bounded(computed: Computed): Computed {
  if (computed.height > MAX_CHAIN) return failed("", CHAIN_TOO_LONG);
  if (computed.tables <= LIMITS.formulaDepth) return computed;
  return failed("", `A value is computed through at most ${LIMITS.formulaDepth} databases.`);
}
