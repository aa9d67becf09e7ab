/**
 * Values of a property that becomes one of another type.
 *
 * @module
 */
import type { Property, PropertyType } from "../schema/property.ts";
import type { PropertyKind } from "./property_type.ts";
import { kindOf, propertyKinds } from "./registry.ts";
import { namesIn, withOptions } from "./options.ts";

/**
 * What a property keeps of a value when it becomes `to`; undefined where nothing is left. Of the same
 * type a value stays, but for options that `to` has not.
 *
 * Of another type it becomes what it reads as, if that can be read as a value there: see TAKEN_OVER.
 * Options are found by name.
 */
export function convertValue(kept: unknown, from: Property, to: Property): unknown {
  if (kept === undefined) return undefined;
  if (from.type === to.type) return sameType(kept, to);
  const direct = DIRECT[from.type]?.[to.type];
  if (direct !== undefined) return direct(kept, from, to);
  const text = kindOf(from).toText?.(kept, from) ?? "";
  return text === "" ? undefined : kindOf(to).fromText?.(text, to);
}

function sameType(kept: unknown, to: Property): unknown {
  const { type } = to;
  const isOption = type === "select" || type === "multi_select" || type === "status";
  return isOption ? withOptions(kept, to) : kept;
}

type Conversion = (kept: unknown, from: Property, to: Property) => unknown;
type Conversions = {
  readonly [From in PropertyType]?: { readonly [To in PropertyType]?: Conversion };
};

/** Conversions of which the reading as text would say less, or nothing. */
const DIRECT: Conversions = {
  checkbox: { number: () => 1 },
  number: { checkbox: (kept) => kept !== 0 || undefined },
  unique_id: { number: (kept) => kept },
  multi_select: { select: firstOption, status: firstOption },
};

/** Of several options the first one that there is. */
function firstOption(kept: unknown, from: Property, to: Property): unknown {
  const names = namesIn(kindOf(from).toText?.(kept, from) ?? "");
  return names.map((name) => kindOf(to).fromText?.(name, to)).find((id) => id !== undefined);
}

/** The types that take over values of each type; with all other types they are lost. */
export const TAKEN_OVER: ReadonlyMap<PropertyType, readonly PropertyType[]> = new Map(
  propertyKinds.map(([from, kind]) => [from, takersOf(from, kind)]),
);

function takersOf(from: PropertyType, { toText }: PropertyKind): PropertyType[] {
  return propertyKinds.filter(([to, { fromText }]) =>
    to !== from &&
    (DIRECT[from]?.[to] !== undefined || (toText !== undefined && fromText !== undefined))
  ).map(([to]) => to);
}
