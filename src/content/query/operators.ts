/**
 * The names of conditions in filters, and the operators of each.
 *
 * @module
 */
import { kindOf, propertyKinds } from "../properties/registry.ts";
import type { Operator, Operators } from "../properties/shared/operators.ts";
import type { PropertyType } from "../schema/property.ts";

/** The operators of each kind of value, by its name in filters: a property type, or `text`. */
export const OPERATORS: ReadonlyMap<string, Operators> = operatorsByName(() => true);

/** The same, without conditions that do not apply to the items of a rollup. */
export const ITEM_OPERATORS: ReadonlyMap<string, Operators> = operatorsByName(
  ({ ofItems = true }) => ofItems,
);

function operatorsByName(
  isIncluded: (conditions: { readonly ofItems?: false }) => boolean,
): Map<string, Operators> {
  const found = new Map<string, Operators>();
  for (const [type, { conditions }] of propertyKinds) {
    if (conditions === undefined || !isIncluded(conditions)) continue;
    found.set(type, conditions.operators);
    const names = conditions.alsoNamed?.filter((name) => !isPropertyType(name)) ?? [];
    for (const name of names) found.set(name, conditions.operators);
  }
  return found;
}

function isPropertyType(name: string): boolean {
  return propertyKinds.some(([type]) => type === name);
}

/** Returns whether a condition of this name fits a property of this type. */
export function fitsCondition(type: PropertyType, name: string): boolean {
  const { conditions } = kindOf({ type });
  return conditions !== undefined &&
    (name === type || conditions.alsoNamed?.includes(name) === true);
}

/** The operator of this name for this kind of value. */
export function operatorOf(key: string, name: string): Operator {
  const found = new Map(Object.entries(OPERATORS.get(key) ?? {})).get(name);
  if (found === undefined) throw new Error(`No operator ${name} for ${key}`);
  return found;
}
