/**
 * Unions whose members are identified by a key, because clients can leave out `type`.
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
 * A union whose members are identified by a key that only they have, or else by `type`.
 *
 * Only that member checks the input, so issues point into it. If neither a key nor `type`
 * identifies a member, `otherwise` checks the input; by default the issue is about `type` if it is
 * given, and otherwise names the keys. Without an input (for JSON Schema), it is the union of all
 * members.
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
  // Sound because `all` and `table` consist of members, and the default of `none` accepts nothing:
  // it is used only if `type` is not one of the names.
  return v.lazy((input) => memberFor(input) as AnyOf<M, Other>);
}

function noMember(members: Members): v.GenericSchema<unknown, unknown> {
  const unknownType = v.strictObject({ type: v.picklist(Object.keys(members)) });
  const nameless = missing(members, "an object with one of");
  return v.lazy((input) => hasType(input) ? unknownType : nameless);
}

/** Accepts nothing, so that a single issue says what is expected and names the members. */
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
