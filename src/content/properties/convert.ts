/**
 * Values of a property that becomes one of another type.
 *
 * @module
 */
import type { Property, PropertyType } from "../schema/property.ts";
import type { PropertyKind } from "./property_kind.ts";
import { kindOf, propertyKinds } from "./registry.ts";

/**
 * Returns what is left of a stored value when its property becomes `to`; undefined if nothing is.
 *
 * A value of the same type stays, except for options that `to` lacks. A value of another type
 * becomes what it reads as if that can be read as a value there: see `TAKEN_OVER`. Options are
 * found by name.
 */
export function convertValue(stored: unknown, from: Property, to: Property): unknown {
  if (stored === undefined) return undefined;
  const kind = kindOf(to);
  if (from.type === to.type) {
    return kind.retained === undefined ? stored : kind.retained(stored, to);
  }
  const text = kindOf(from).toText?.(stored, from) ?? "";
  if (kind.takesOver?.includes(from.type)) return kind.takeOver?.({ stored, text }, to);
  return text === "" ? undefined : kind.fromText?.(text, to);
}

/** The types that take over values of each type; all other types lose them. */
export const TAKEN_OVER: ReadonlyMap<PropertyType, readonly PropertyType[]> = new Map(
  propertyKinds.map(([from, kind]) => [from, takersOf(from, kind)]),
);

function takersOf(from: PropertyType, { toText }: PropertyKind): PropertyType[] {
  return propertyKinds.filter(([to, { fromText, takesOver }]) =>
    to !== from &&
    (takesOver?.includes(from) || (toText !== undefined && fromText !== undefined))
  ).map(([to]) => to);
}

/**
 * Returns whether stored values are searched by other texts after a change that rewrites no row.
 */
export function changesTexts(from: Property, to: Property): boolean {
  const { textsVersion } = kindOf(from);
  return from.type === to.type && textsVersion?.(from) !== textsVersion?.(to);
}
