/**
 * Compiles formulas and rollups in the order of their dependencies, across related databases.
 *
 * @module
 */
import type { FormulaBindings } from "../formulas/environment.ts";
import { type CompiledFormula, compileFormula } from "../formulas/formula.ts";
import { issueSentence } from "../formulas/issues.ts";
import { rollupType, schemaBindings, typeOfProperty } from "../formulas/properties.ts";
import {
  EMPTY_TYPE,
  type FormulaResultType,
  type FormulaType,
  resultTypeOf,
  TEXT,
} from "../formulas/types.ts";
import { kindOf } from "../properties/registry.ts";
import type { Property, PropertyOf, Schema } from "../schema/property.ts";
import {
  type RollupNeed,
  type RollupResultType,
  rollupSignature,
} from "../schema/rollup_functions.ts";
import { LIMITS } from "../values/limits.ts";

/** Maximum length of a chain of properties that are computed from one another. */
export const MAX_CHAIN = 100;

export type ComputedProperty = PropertyOf<"formula"> | PropertyOf<"rollup">;

/** A formula or rollup, ready to be evaluated for any row. */
export interface CompiledProperty {
  /** The type of its result in the API; undefined if it cannot be computed. */
  readonly kind: FormulaResultType | RollupResultType | undefined;
  /** The type of its value in other formulas; undefined if they cannot read it. */
  readonly type: FormulaType | undefined;
  /** Set for a formula that can be evaluated. */
  readonly formula?: CompiledFormula;
  /**
   * Set for a rollup that can be evaluated: the relation, and the property of the related database.
   */
  readonly rollup?: {
    readonly relation: PropertyOf<"relation">;
    readonly target: Property;
  };
  /** Why it cannot be computed. */
  readonly problems: readonly ComputedProblem[];
  /** Length of the longest chain of computed properties that ends here, including itself. */
  readonly height: number;
  /** Number of databases that this chain passes through, including its own. */
  readonly databases: number;
}

export interface ComputedProblem {
  /** Member of the configuration; `""` for the whole configuration. */
  readonly member: "" | "expression" | "function" | "rollup_property_id";
  readonly detail: string;
}

/** Compiles a formula or rollup of a database; each is compiled once. */
export type PropertyCompiler = (databaseId: string, property: ComputedProperty) => CompiledProperty;

/** Returns whether a property is a formula or a rollup. */
export function isComputed(property: Property): property is ComputedProperty {
  return property.type === "formula" || property.type === "rollup";
}

/** The schema of a database; undefined if the database is unknown. */
export type SchemaOf = (databaseId: string) => Schema | undefined;

/**
 * Returns whether a formula has the form that clients write, with names, instead of the stored
 * form.
 */
export type IsWritten = (databaseId: string, propertyId: string) => boolean;

/** Creates a compiler for the formulas and rollups of all databases whose schema is known. */
export function createPropertyCompiler(
  schemaOf: SchemaOf,
  isWritten: IsWritten = () => false,
): PropertyCompiler {
  const compiled = new Map<string, CompiledProperty>();
  const path: Step[] = [];
  let length = 0;
  const compile: PropertyCompiler = (databaseId, property) => {
    const key = propertyKey(databaseId, property);
    const start = path.findIndex((step) => step.key === key);
    if (start >= 0) return cyclic(path.slice(start));
    const found = compiled.get(key);
    if (found !== undefined) return found;
    if (path.length === MAX_CHAIN) throw new ChainTooLong(databaseId, property);
    const step: Step = { key, name: property.name };
    path.push(step);
    if (property.type === "formula") length += property.expression.length;
    const computed = length > LIMITS.expressions
      ? uncomputable("", EXPRESSIONS_TOO_LONG)
      : compileComputed(property, { databaseId, schemaOf, isWritten, compile });
    path.pop();
    const checked = bounded(step.cycle === undefined ? computed : uncomputable("", step.cycle));
    compiled.set(key, checked);
    return checked;
  };
  return (databaseId, property) =>
    compileFromBelow(databaseId, property, { compile, compiled, path, started: new Set() });
}

interface CompilerState {
  readonly compile: PropertyCompiler;
  readonly compiled: Map<string, CompiledProperty>;
  readonly path: Step[];
  /** Keys of the properties that `compileFromBelow` has started. */
  readonly started: Set<string>;
}

/**
 * Compiles a property without a recursion deeper than `MAX_CHAIN`: if its chain is longer, the
 * properties at the lower end come first.
 */
function compileFromBelow(
  databaseId: string,
  property: ComputedProperty,
  state: CompilerState,
): CompiledProperty {
  const { compile, compiled, path, started } = state;
  const key = propertyKey(databaseId, property);
  // A cycle that is longer than the maximum chain leads back here.
  if (started.has(key)) compiled.set(key, uncomputable("", CHAIN_TOO_LONG));
  started.add(key);
  for (;;) {
    try {
      return compile(databaseId, property);
    } catch (error) {
      if (!(error instanceof ChainTooLong)) throw error;
      path.length = 0;
      // After this, everything below is compiled, and the next attempt gets further.
      compileFromBelow(error.databaseId, error.property, state);
    }
  }
}

function propertyKey(databaseId: string, { id }: ComputedProperty): string {
  return `${databaseId}/${id}`;
}

/** Ends a recursion that is too deep. `compileFromBelow` catches it. */
class ChainTooLong extends Error {
  readonly databaseId: string;
  readonly property: ComputedProperty;

  constructor(databaseId: string, property: ComputedProperty) {
    super();
    this.databaseId = databaseId;
    this.property = property;
  }
}

const CHAIN_TOO_LONG =
  `A chain of properties that are computed from one another can have at most ${MAX_CHAIN} properties.`;

const EXPRESSIONS_TOO_LONG =
  `The formulas that the values of a database are computed with, in all databases, can have at most ${LIMITS.expressions} characters.`;

/** A property on the path from the requested one to one that it depends on. */
interface Step {
  readonly key: string;
  readonly name: string;
  /** The message about the cycle that the property is part of. */
  cycle?: string;
}

function cyclic(steps: readonly Step[]): CompiledProperty {
  const names = [...steps, ...steps.slice(0, 1)].map(({ name }) => name).join(" → ");
  const detail = `A property can't be computed from itself: ${names}.`;
  for (const step of steps) step.cycle = detail;
  return uncomputable("", detail);
}

function bounded(computed: CompiledProperty): CompiledProperty {
  if (computed.height > MAX_CHAIN) return uncomputable("", CHAIN_TOO_LONG);
  if (computed.databases <= LIMITS.formulaDepth) return computed;
  return uncomputable(
    "",
    `A value can be computed through at most ${LIMITS.formulaDepth} databases.`,
  );
}

/** The database of a property, and how to look up the properties that it depends on. */
interface CompileContext {
  readonly databaseId: string;
  readonly schemaOf: SchemaOf;
  readonly isWritten: IsWritten;
  readonly compile: PropertyCompiler;
}

function compileComputed(property: ComputedProperty, context: CompileContext): CompiledProperty {
  return property.type === "formula"
    ? compileFormulaProperty(property, context)
    : compileRollup(property, context);
}

/** A property that cannot be computed, with the reasons. */
function uncomputable(
  member: ComputedProblem["member"],
  ...details: readonly string[]
): CompiledProperty {
  const problems = details.map((detail) => ({ member, detail }));
  return { kind: undefined, type: undefined, problems, height: 1, databases: 1 };
}

function compileFormulaProperty(
  { id, expression }: PropertyOf<"formula">,
  context: CompileContext,
): CompiledProperty {
  if (expression.trim() === "") {
    return { kind: "string", type: EMPTY_TYPE, problems: [], height: 1, databases: 1 };
  }
  const depth: Depth = { height: 0, databases: 1 };
  const by = context.isWritten(context.databaseId, id) ? "name" : "id";
  const compiled = compileFormula(expression, bindingsOf(context, { by, depth, hops: 0 }));
  if (!("evaluate" in compiled)) return uncomputable("expression", ...compiled.map(issueSentence));
  const { type, resultType: kind } = compiled;
  const { height, databases } = depth;
  return { kind, type, formula: compiled, problems: [], height: height + 1, databases };
}

/** The maximum height and number of databases among the properties that a formula depends on. */
interface Depth {
  height: number;
  databases: number;
}

interface BindingOptions {
  /** How the formula names properties. */
  readonly by: "name" | "id";
  readonly depth: Depth;
  /** Number of relations between the formula and this database. */
  readonly hops: number;
}

function bindingsOf(context: CompileContext, options: BindingOptions): FormulaBindings {
  const { databaseId, schemaOf, compile } = context;
  const { by, depth, hops } = options;
  const computed = (property: ComputedProperty): FormulaType | undefined => {
    const { type, height, databases } = compile(databaseId, property);
    depth.height = Math.max(depth.height, height);
    depth.databases = Math.max(depth.databases, hops + databases);
    return type;
  };
  return schemaBindings(schemaOf(databaseId) ?? [], {
    by,
    typeOf(property) {
      depth.databases = Math.max(depth.databases, hops + 1);
      return typeOfProperty(property, computed);
    },
    related: (id) =>
      schemaOf(id) &&
      bindingsOf({ ...context, databaseId: id }, { ...options, hops: hops + 1 }),
  });
}

function compileRollup(
  property: PropertyOf<"rollup">,
  { databaseId, schemaOf, compile }: CompileContext,
): CompiledProperty {
  const relation = schemaOf(databaseId)?.find(({ id }) => id === property.relationPropertyId);
  if (relation?.type !== "relation") return uncomputable("", "The rollup's relation was deleted.");
  const target = schemaOf(relation.databaseId)
    ?.find(({ id }) => id === property.rollupPropertyId);
  if (target === undefined) {
    return uncomputable("", "The property that the rollup collects was deleted.");
  }
  if (kindOf(target).collect === undefined) {
    return uncomputable("rollup_property_id", `A rollup can't collect a \`${target.type}\`.`);
  }
  const inner = target.type === "formula" ? compile(relation.databaseId, target) : undefined;
  const signature = rollupSignature(property.function);
  if (signature === undefined) {
    return uncomputable("function", `There is no function \`${property.function}\`.`);
  }
  const { needs, gives } = signature;
  const mismatch = mismatchOf(property.function, needs, { target, inner });
  if (mismatch !== undefined) return uncomputable("function", mismatch);
  const type = typeOfProperty(target, () => inner?.type && asResult(inner.type));
  return {
    kind: gives,
    type: type && rollupType(property.function, type),
    rollup: { relation, target },
    problems: [],
    height: 1 + (inner?.height ?? 0),
    databases: 1 + (inner?.databases ?? 1),
  };
}

/** Rollups collect the results of formulas, in which lists, people and pages are text. */
function asResult(type: FormulaType): FormulaType {
  return resultTypeOf(type) === "string" ? TEXT : type;
}

/**
 * Returns whether a function of this need accepts the values of a property, or a formula of this
 * type.
 */
function accepts(need: RollupNeed, target: Property, result: FormulaResultType | undefined) {
  if (need === "status") return target.type === "status";
  const type = need === "checkbox" ? "boolean" : need;
  return type === (target.type === "formula" ? result : kindOf(target).formula?.type);
}

interface Collected {
  readonly target: Property;
  /** The compiled target, if it is a formula. */
  readonly inner: CompiledProperty | undefined;
}

function mismatchOf(
  name: string,
  needs: RollupNeed,
  { target, inner }: Collected,
): string | undefined {
  if (needs === "any") return undefined;
  const result = inner?.type && resultTypeOf(inner.type);
  if (accepts(needs, target, result)) return undefined;
  const actual = target.type === "formula"
    ? `a formula of type ${result ?? "unknown"}`
    : target.type;
  return `\`${name}\` needs values of type ${needs}, but \`${target.name}\` is ${actual}.`;
}
