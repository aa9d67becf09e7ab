/**
 * From filters as clients write them to filters as they are evaluated.
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
import { fits, operatorOf } from "./operators.ts";
import type { QuerySchema } from "./scope.ts";

/** Collects what a filter means, and every fault of it. */
interface Reading {
  readonly scope: QuerySchema;
  readonly issues: ValidationIssue[];
  conditions: number;
}

/** Holds of every row: stands where a fault was found. */
const ALL: Filter = { op: "and", filters: [] };

/** What a filter means in this scope; all faults are added to `faults`. */
export function readFilter(
  input: FilterInput,
  scope: QuerySchema,
  issues: ValidationIssue[],
): Filter {
  const reading: Reading = { scope, issues, conditions: 0 };
  const filter = read(input, reading, { pointer: "/filter", level: 0 });
  if (reading.conditions > LIMITS.filterConditions) {
    issues.push({
      pointer: "/filter",
      detail: `A filter has at most ${LIMITS.filterConditions} conditions.`,
    });
  }
  return filter;
}

interface Spot {
  readonly pointer: string;
  /** How many compounds are around it. */
  readonly level: number;
}

function read(input: FilterInput, reading: Reading, spot: Spot): Filter {
  if ("and" in input) return compound("and", input.and, { reading, spot });
  if ("or" in input) return compound("or", input.or, { reading, spot });
  reading.conditions++;
  const [key, condition] = conditionIn(input);
  const pointer = pointerTo(spot.pointer, key);
  if ("timestamp" in input) {
    const member = input.timestamp === "created_time" ? "createdTime" : "editedTime";
    return onField({ kind: "row", member }, test(key, condition, { reading, pointer }));
  }
  const property = reading.scope.find(input.property);
  if (property !== undefined) return onProperty(property, { key, condition, pointer }, reading);
  const detail = `Could not find property with name or id: ${input.property}`;
  return refuse(reading, { pointer: pointerTo(spot.pointer, "property"), detail });
}

interface Compound {
  readonly reading: Reading;
  readonly spot: Spot;
}

function compound(
  op: "and" | "or",
  inputs: readonly FilterInput[],
  { reading, spot }: Compound,
): Filter {
  const pointer = pointerTo(spot.pointer, op);
  const level = spot.level + 1;
  if (level > LIMITS.filterNesting) {
    const detail = `Compound filters are at most ${LIMITS.filterNesting} levels deep.`;
    return refuse(reading, { pointer, detail });
  }
  if (inputs.length === 0) {
    return refuse(reading, { pointer, detail: `\`${op}\` needs at least one filter.` });
  }
  const filters = inputs.map((input, index) =>
    read(input, reading, { pointer: pointerTo(pointer, index), level })
  );
  return { op, filters };
}

/** The condition itself, under the name of its kind. */
function conditionIn(input: object): [key: string, condition: ConditionInput] {
  const found = Object.entries(input)
    .find(([key]) => key !== "property" && key !== "timestamp" && key !== "type");
  if (found === undefined) throw new Error("A condition without its member");
  return found;
}

interface Condition {
  readonly key: string;
  readonly condition: ConditionInput;
  readonly pointer: string;
}

function onProperty(property: Property, on: Condition, reading: Reading): Filter {
  if (property.type === "formula" && on.key === "formula") return onFormula(property, on, reading);
  if (property.type === "rollup" && on.key === "rollup") return onRollup(property, on, reading);
  if (!fits(property.type, on.key)) return mismatch(property, on, reading);
  const options = optionsOf(property);
  const filter = test(on.key, on.condition, { reading, pointer: on.pointer, options });
  return onField(fieldOf(property), filter);
}

/** The condition on what a formula gives, by its name in filters. */
const RESULT_KEYS: Readonly<Record<string, string>> = {
  string: "rich_text",
  number: "number",
  checkbox: "checkbox",
  date: "date",
};

function onFormula(property: PropertyOf<"formula">, on: Condition, reading: Reading): Filter {
  const [name, condition] = only(on.condition);
  const kind = reading.scope.kindOf(property);
  const asked = name === "checkbox" ? "boolean" : name;
  if (kind !== undefined && kind !== asked) {
    return mismatch(property, { ...on, key: `formula.${name}` }, reading);
  }
  const key = RESULT_KEYS[name] ?? "rich_text";
  const pointer = pointerTo(on.pointer, name);
  return onField(fieldOf(property), test(key, condition, { reading, pointer }));
}

function onRollup(property: PropertyOf<"rollup">, on: Condition, reading: Reading): Filter {
  const [name, condition] = only(on.condition);
  const kind = reading.scope.kindOf(property);
  const pointer = pointerTo(on.pointer, name);
  if (name === "number" || name === "date") {
    if (kind === name || kind === undefined) {
      return onField(fieldOf(property), test(name, condition, { reading, pointer }));
    }
    return mismatch(property, { ...on, key: `rollup.${name}` }, reading);
  }
  const [key, inner] = only(condition);
  const target = reading.scope.target(property);
  const fit = target === undefined || kind === undefined ||
    (kind === "array" && itemFits(target, key, reading.scope));
  if (!fit) return mismatch(property, { ...on, key: `rollup.${name}.${key}` }, reading);
  const options = target === undefined ? [] : optionsOf(target);
  return {
    op: "items",
    propertyId: property.id,
    // Sound because the schema lets only these names and the two above stand here.
    quantifier: name as "any" | "every" | "none",
    filter: test(key, inner, { reading, pointer: pointerTo(pointer, key), options }),
  };
}

/** Whether items of a rollup can be asked so; those of a formula as what it gives. */
function itemFits(target: Property, key: string, scope: QuerySchema): boolean {
  if (target.type !== "formula") return fits(target.type, key);
  const kind = scope.kindOf(target);
  return kind === undefined || (RESULT_KEYS[kind === "boolean" ? "checkbox" : kind] === key);
}

interface TestOptions {
  readonly reading: Reading;
  /** Where the condition stands. */
  readonly pointer: string;
  /** Of the property, where it has any. */
  readonly options?: readonly Option[];
}

function test(
  key: string,
  condition: ConditionInput,
  { reading: { scope, issues }, pointer, options = [] }: TestOptions,
): ItemFilter {
  const [name, operand] = Object.entries(condition)[0] ?? [];
  if (name === undefined) throw new Error(`A condition of ${key} without an operator`);
  const operator = operatorOf(key, name);
  const expected = operator.expected?.(operand);
  if (expected !== undefined) {
    issues.push(bodyIssue(pointerTo(pointer, name), { expected, received: operand }));
  }
  const positive = {
    op: "test",
    test: operator.test(operand, { now: scope.now, options }),
  } as const;
  return operator.negated === true ? { op: "not", filter: positive } : positive;
}

function onField(field: Field, filter: ItemFilter): Filter {
  if (filter.op === "not") return { op: "not", filter: onField(field, filter.filter) };
  return { op: "test", field, test: filter.test };
}

/** The one member of a condition whose operand is a condition again. */
function only(condition: ConditionInput): [name: string, inner: ConditionInput] {
  const [name = "", inner] = Object.entries(condition)[0] ?? [];
  // Sound because the schemas of formulas and rollups have such members alone.
  return [name, inner as ConditionInput];
}

function optionsOf(property: Property): readonly Option[] {
  return "options" in property ? property.options : [];
}

function mismatch(property: Property, { key, pointer }: Condition, reading: Reading): Filter {
  const detail =
    `Property \`${property.name}\` of type ${property.type} does not match filter ${key}.`;
  return refuse(reading, { pointer, detail });
}

function refuse({ issues }: Reading, issue: ValidationIssue): Filter {
  issues.push(issue);
  return ALL;
}
