/**
 * Unions that are told apart by which key is there, as clients leave `type` out.
 *
 * @module
 */
import * as v from "valibot";

type Members = Readonly<Record<string, v.GenericSchema<unknown, unknown>>>;
type AnyOf<M extends Members, Other> = v.GenericSchema<
  unknown,
  v.InferOutput<M[keyof M]> | Other
>;

/**
 * A union whose members are named by the key that only they have; `type` decides where none is there.
 *
 * The input meets one member alone, so its faults point into that member and cost no search. Where
 * neither key nor `type` names a member it meets `otherwise`; by default the fault is about `type`
 * where that is given, as it need not be, and else names the keys.
 * Without an input (as a JSON Schema conversion asks) it is the plain union of all members.
 */
export function byKey<const M extends Members, Other = never>(
  members: M,
  otherwise?: v.GenericSchema<unknown, Other>,
): v.LazySchema<AnyOf<M, Other>> {
  const table = new Map(Object.entries(members));
  const all = v.union(Object.values(members));
  const none = otherwise ?? noMember(members);
  const memberFor = (input: unknown): v.GenericSchema<unknown, unknown> =>
    input === undefined ? all : table.get(memberName(table, input) ?? "") ?? none;
  // Sound because `all` and each entry of `table` are made of members, and the default of `none`
  // never accepts: it is met only where `type` is not one of the names.
  return v.lazy((input) => memberFor(input) as AnyOf<M, Other>);
}

function noMember(members: Members): v.GenericSchema<unknown, unknown> {
  const unknownType = v.strictObject({ type: v.picklist(Object.keys(members)) });
  const nameless = missing(members, "an object with one of");
  return v.lazy((input) => hasType(input) ? unknownType : nameless);
}

/** Accepts nothing, so that one fault says what is missing: what is expected, and the members' names. */
export function missing(members: Members, expected: string): v.GenericSchema<unknown, never> {
  const names = Object.keys(members).map((name) => `\`${name}\``).join(", ");
  return v.custom<never>(() => false, `${expected} ${names}`);
}

function hasType(input: unknown): input is { readonly type: unknown } {
  return typeof input === "object" && input !== null && "type" in input;
}

function memberName(table: ReadonlyMap<string, unknown>, input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const name = Object.keys(input).find((key) => table.has(key));
  if (name !== undefined) return name;
  return hasType(input) && typeof input.type === "string" ? input.type : undefined;
}
