/**
 * Reads filters in the form that clients write and returns them in the form that is evaluated.
 *
 * @module
 */
import type { Option, Property, PropertyOf } from "../schema/property.ts";
import type { ValidationIssue } from "../../shared/errors.ts";
import { bodyIssue, pointerTo } from "../../shared/validation_issue.ts";
import { LIMITS } from "../values/limits.ts";
import type { Field, Filter, ItemFilter } from "./filter.ts";
import { fieldOf } from "./fields.ts";
import type { ConditionInput, FilterInput } from "./input.ts";
import { fitsCondition, operatorOf } from "./operators.ts";
import type { QuerySchema } from "./query_schema.ts";

/** Shared by all conditions of one filter. */
interface FilterReader {
  readonly schema: QuerySchema;
  readonly issues: ValidationIssue[];
  conditions: number;
  /** UTF-16 code units of the texts to look for within others. */
  sought: number;
}

/** Matches every row. Takes the place of an empty compound, and of a condition with an issue. */
const MATCH_ALL: Filter = { op: "and", filters: [] };

/**
 * The filter with names resolved in this schema; undefined if it matches every row. Adds all issues
 * to `issues`.
 */
export function readFilter(
  input: FilterInput,
  schema: QuerySchema,
  issues: ValidationIssue[],
): Filter | undefined {
  const reader: FilterReader = { schema, issues, conditions: 0, sought: 0 };
  const filter = read(input, reader, { pointer: "/filter", level: 0 });
  if (reader.conditions > LIMITS.filterConditions) {
    issues.push({
      pointer: "/filter",
      detail: `A filter can have at most ${LIMITS.filterConditions} conditions.`,
    });
  }
  if (reader.sought > LIMITS.filterText) {
    issues.push({
      pointer: "/filter",
      detail:
        `The texts of \`contains\` and \`does_not_contain\` can have at most ${LIMITS.filterText} characters in all.`,
    });
  }
  return isMatchAll(filter) ? undefined : filter;
}

function isMatchAll(filter: Filter): boolean {
  return filter.op === "and" && filter.filters.length === 0;
}

interface FilterPosition {
  readonly pointer: string;
  /** Number of compound filters around it. */
  readonly level: number;
}

function read(input: FilterInput, reader: FilterReader, position: FilterPosition): Filter {
  if ("and" in input) return compound("and", input.and, { reader, position });
  if ("or" in input) return compound("or", input.or, { reader, position });
  reader.conditions++;
  const [key, condition] = conditionIn(input);
  const pointer = pointerTo(position.pointer, key);
  if ("timestamp" in input) {
    const member = input.timestamp === "created_time" ? "createdTime" : "editedTime";
    return onField({ kind: "row", member }, test(key, condition, { reader, pointer }));
  }
  const property = reader.schema.find(input.property);
  if (property !== undefined) return onProperty(property, { key, condition, pointer }, reader);
  const detail = `Could not find property with name or id: ${input.property}`;
  return addIssue(reader, { pointer: pointerTo(position.pointer, "property"), detail });
}

interface Compound {
  readonly reader: FilterReader;
  readonly position: FilterPosition;
}

function compound(
  op: "and" | "or",
  inputs: readonly FilterInput[],
  { reader, position }: Compound,
): Filter {
  const pointer = pointerTo(position.pointer, op);
  const level = position.level + 1;
  if (level > LIMITS.filterNesting) {
    const detail = `Compound filters can be nested at most ${LIMITS.filterNesting} levels deep.`;
    return addIssue(reader, { pointer, detail });
  }
  const filters = inputs.map((input, index) =>
    read(input, reader, { pointer: pointerTo(pointer, index), level })
  );
  return combined(op, filters);
}

/**
 * Clients that build lists of conditions send empty ones, of `and` or `or`, to set no condition.
 */
function combined(op: "and" | "or", filters: readonly Filter[]): Filter {
  if (filters.length === 0) return MATCH_ALL;
  if (op === "or") return filters.some(isMatchAll) ? MATCH_ALL : { op, filters };
  const conditions = filters.filter((filter) => !isMatchAll(filter));
  return conditions.length === 0 ? MATCH_ALL : { op, filters: conditions };
}

/** The member that holds the condition; its key names the kind of value. */
function conditionIn(input: object): [key: string, condition: ConditionInput] {
  const found = Object.entries(input)
    .find(([key]) => key !== "property" && key !== "timestamp" && key !== "type");
  if (found === undefined) throw new Error("The condition has no member");
  return found;
}

interface Condition {
  readonly key: string;
  readonly condition: ConditionInput;
  readonly pointer: string;
}

function onProperty(property: Property, on: Condition, reader: FilterReader): Filter {
  if (property.type === "formula" && on.key === "formula") return onFormula(property, on, reader);
  if (property.type === "rollup" && on.key === "rollup") return onRollup(property, on, reader);
  if (!fitsCondition(property.type, on.key)) return mismatch(property, on, reader);
  const options = optionsOf(property);
  const filter = test(on.key, on.condition, { reader, pointer: on.pointer, options });
  return onField(fieldOf(property), filter);
}

/** The condition on what a formula gives, by its name in filters. */
const RESULT_KEYS: Readonly<Record<string, string>> = {
  string: "rich_text",
  number: "number",
  checkbox: "checkbox",
  date: "date",
};

function onFormula(property: PropertyOf<"formula">, on: Condition, reader: FilterReader): Filter {
  const [name, condition] = only(on.condition);
  const kind = reader.schema.kindOf(property);
  const expected = name === "checkbox" ? "boolean" : name;
  if (kind !== undefined && kind !== expected) {
    return mismatch(property, { ...on, key: `formula.${name}` }, reader);
  }
  const key = RESULT_KEYS[name] ?? "rich_text";
  const pointer = pointerTo(on.pointer, name);
  return onField(fieldOf(property), test(key, condition, { reader, pointer }));
}

function onRollup(property: PropertyOf<"rollup">, on: Condition, reader: FilterReader): Filter {
  const [name, condition] = only(on.condition);
  const kind = reader.schema.kindOf(property);
  const pointer = pointerTo(on.pointer, name);
  if (name === "number" || name === "date") {
    if (kind === name || kind === undefined) {
      return onField(fieldOf(property), test(name, condition, { reader, pointer }));
    }
    return mismatch(property, { ...on, key: `rollup.${name}` }, reader);
  }
  const [key, inner] = only(condition);
  const target = reader.schema.target(property);
  const fit = target === undefined || kind === undefined ||
    (kind === "array" && itemFits(target, key, reader.schema));
  if (!fit) return mismatch(property, { ...on, key: `rollup.${name}.${key}` }, reader);
  const options = target === undefined ? [] : optionsOf(target);
  return {
    op: "items",
    propertyId: property.id,
    // Sound because the schema allows only these names and the two above.
    quantifier: name as "any" | "every" | "none",
    filter: test(key, inner, { reader, pointer: pointerTo(pointer, key), options }),
  };
}

/**
 * Returns whether a condition of this name fits a rollup's items; formulas count as their result
 * type.
 */
function itemFits(target: Property, key: string, schema: QuerySchema): boolean {
  if (target.type !== "formula") return fitsCondition(target.type, key);
  const kind = schema.kindOf(target);
  return kind === undefined || (RESULT_KEYS[kind === "boolean" ? "checkbox" : kind] === key);
}

interface TestOptions {
  readonly reader: FilterReader;
  /** JSON pointer to the condition. */
  readonly pointer: string;
  /** Options of the property, if it has any. */
  readonly options?: readonly Option[];
}

function test(
  key: string,
  condition: ConditionInput,
  { reader, pointer, options = [] }: TestOptions,
): ItemFilter {
  const [name, operand] = Object.entries(condition)[0] ?? [];
  if (name === undefined) throw new Error(`No operator in the condition for ${key}`);
  const operator = operatorOf(key, name);
  const expected = operator.expected?.(operand);
  if (expected !== undefined) {
    reader.issues.push(bodyIssue(pointerTo(pointer, name), { expected, received: operand }));
  }
  const found = operator.test(operand, { now: reader.schema.now, options });
  if (found.is === "text" && found.how === "contains") reader.sought += found.text.length;
  const positive = { op: "test", test: found } as const;
  return operator.negated === true ? { op: "not", filter: positive } : positive;
}

function onField(field: Field, filter: ItemFilter): Filter {
  if (filter.op === "not") return { op: "not", filter: onField(field, filter.filter) };
  return { op: "test", field, test: filter.test };
}

/** The only member of a condition whose operand is itself a condition. */
function only(condition: ConditionInput): [name: string, inner: ConditionInput] {
  const [name = "", inner] = Object.entries(condition)[0] ?? [];
  // Sound because the schemas of formulas and rollups allow no other members.
  return [name, inner as ConditionInput];
}

function optionsOf(property: Property): readonly Option[] {
  return "options" in property ? property.options : [];
}

function mismatch(property: Property, { key, pointer }: Condition, reader: FilterReader): Filter {
  const detail =
    `Property \`${property.name}\` of type ${property.type} does not match filter ${key}.`;
  return addIssue(reader, { pointer, detail });
}

function addIssue({ issues }: FilterReader, issue: ValidationIssue): Filter {
  issues.push(issue);
  return MATCH_ALL;
}
