/**
 * Makes properties of databases readable for formulas: their names, types and values.
 *
 * @module
 */
import { formulaTypeOf } from "./formula_types.ts";
import { rollupSignature } from "../schema/rollup_functions.ts";
import type { Property, PropertyOf, PropertyType, Schema } from "../schema/property.ts";
import type { DateValue } from "../values/dates.ts";
import { momentTime } from "../values/timestamps.ts";
import { type CollectedValue, kindOf, type ReadOf } from "../properties/registry.ts";
import type { PropertyValueOf } from "../properties/read.ts";
import { fromWall } from "./calendar.ts";
import type { FormulaBindings } from "./environment.ts";
import { DATE, type FormulaType, itemType, listOf, NUMBER } from "./types.ts";
import type { FormulaDate, FormulaPage, FormulaPerson, FormulaValue } from "./values.ts";

/** A property whose value the service computes. */
export type ComputedProperty = PropertyOf<"formula"> | PropertyOf<"rollup">;

/**
 * The type of a property's values; undefined if formulas cannot read it. `computed` returns the
 * type of formulas, which their compilation yields, and of rollups, for which there is
 * `rollupType`.
 */
export function typeOfProperty(
  property: Property,
  computed: (property: ComputedProperty) => FormulaType | undefined,
): FormulaType | undefined {
  return property.type === "formula" || property.type === "rollup"
    ? computed(property)
    : formulaTypeOf(property);
}

/**
 * The type of a rollup, from its function and the type of its values. Lists of lists are flattened.
 */
export function rollupType(name: string, of: FormulaType): FormulaType | undefined {
  const gives = rollupSignature(name)?.gives;
  if (gives === "number") return NUMBER;
  return gives === "date" ? DATE : gives && listOf(itemType(of));
}

export interface SchemaBindingOptions {
  /** `name` for what clients write, where ids work too; `id` for stored expressions. */
  readonly by: "name" | "id";
  typeOf(property: Property): FormulaType | undefined;
  /** The bindings of a related database, with the same `by`. */
  readonly related?: (databaseId: string) => FormulaBindings | undefined;
}

/** Binds the names, or the ids, that formulas use to the properties of a schema. */
export function schemaBindings(
  schema: Schema,
  { by, typeOf, related }: SchemaBindingOptions,
): FormulaBindings {
  const byId = new Map(schema.map((property) => [property.id, property]));
  const byName = new Map(schema.map((property) => [property.name, property]));
  return {
    names: [...byName.keys()],
    property(key) {
      const property = (by === "name" ? byName.get(key) : undefined) ?? byId.get(key);
      return property && { id: property.id, type: typeOf(property) };
    },
    ...(related === undefined ? {} : { related }),
  };
}

/** Looks up what values refer to but do not contain. */
export interface ValueReading {
  /** IANA name of the time zone of the evaluation, which decides when days begin. */
  readonly timeZone: string;
  /** Includes the e-mail address only if the reader may see it. */
  user(id: string): Pick<FormulaPerson, "name" | "email"> | undefined;
  /** The plain title of a page. */
  title(pageId: string): string;
}

/** A property's value in the form of a reply, or an item of a rollup, which has no id. */
export type AnsweredValue = CollectedValue | Unnamed<"rollup"> | Unnamed<"button">;
type Unnamed<T extends PropertyType> = Omit<PropertyValueOf<T>, "id">;

/** Converts a property's value from the form of a reply to the form that formulas read. */
export function valueOfProperty(value: AnsweredValue, reading: ValueReading): FormulaValue {
  switch (value.type) {
    case "formula":
      return valueOfFormula(value.formula, reading);
    case "rollup":
      return valueOfRollup(value.rollup, reading);
    case "relation":
      return value.relation.map(({ id }) => pageOf(id, reading));
    default:
      return valueOfContent(value.type, Reflect.get(value, value.type), reading);
  }
}

/** The value of a type that says itself what formulas read. */
function valueOfContent(type: PropertyType, read: unknown, reading: ValueReading): FormulaValue {
  const { formula } = kindOf({ type });
  if (formula === undefined) return null;
  switch (formula.type) {
    case "date":
      return dateOf(formula.value(read), reading);
    case "person":
      return personOf(formula.value(read), reading);
    case "people":
      return formula.value(read).map((user) => personOf(user, reading));
    default:
      return formula.value(read);
  }
}

function valueOfFormula(answer: ReadOf<"formula">, reading: ValueReading): FormulaValue {
  switch (answer.type) {
    case "string":
      return answer.string;
    case "number":
      return answer.number;
    case "boolean":
      return answer.boolean;
    case "date":
      return dateOf(answer.date, reading);
  }
}

function valueOfRollup(answer: ReadOf<"rollup">, reading: ValueReading): FormulaValue {
  switch (answer.type) {
    case "number":
      return answer.number;
    case "date":
      return dateOf(answer.date, reading);
    case "array":
      return answer.array.flatMap((item) => valueOfProperty(item, reading));
    case "unsupported":
      return null;
  }
}

function personOf({ id }: { readonly id: string }, { user }: ValueReading): FormulaPerson {
  const { name = null, email = null } = user(id) ?? {};
  return { kind: "person", id, name, email };
}

/** A related page in the form that formulas read. */
export function pageOf(id: string, { title }: ValueReading): FormulaPage {
  return { kind: "page", id, title: title(id) };
}

function dateOf(date: DateValue | null, { timeZone }: ValueReading): FormulaDate | null {
  if (date === null) return null;
  const hasTime = date.start.includes("T");
  const timeOf = (moment: string) =>
    hasTime
      ? momentTime(moment, date.time_zone)
      : fromWall(Date.parse(`${moment}T00:00:00Z`), timeZone);
  const end = date.end === null ? null : timeOf(date.end);
  return { kind: "date", start: timeOf(date.start), end, hasTime };
}
