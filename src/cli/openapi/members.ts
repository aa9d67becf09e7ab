/**
 * Makes components of the members of unions, because client generators name types after components.
 *
 * @module
 */
import { createRef, type JsonObject } from "./json.ts";
import { isSchema, listed, mapSchema, membersOf, requiredOf } from "./walk.ts";

/**
 * Adds a component for each object in a union. It is named by the path of the union and by the member
 * that tells the object apart. Throws if two components would have the same name.
 */
export function nameMembers(components: JsonObject): JsonObject {
  const named = new Map<string, JsonObject>();
  const add = (name: string, schema: JsonObject): void => {
    if (named.has(name)) throw new Error(`Two components would be named ${name}`);
    named.set(name, schema);
  };
  for (const [name, schema] of Object.entries(components)) {
    if (!isSchema(schema)) continue;
    add(name, mapSchema(schema, (inner, path) => refer(inner, [name, ...path], add)));
  }
  return Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Add = (name: string, schema: JsonObject) => void;

function refer(schema: JsonObject, path: readonly string[], add: Add): JsonObject {
  return ["anyOf", "oneOf"].reduce((result: JsonObject, keyword) => {
    const all = listed(result, keyword);
    if (all.filter(({ type }) => type !== "null").length < 2) return result;
    const members = all.filter(({ $ref }) => $ref === undefined);
    return { ...result, [keyword]: all.map((one) => referTo(one, { members, path, add })) };
  }, schema);
}

interface Union {
  /** The members that are not references. */
  readonly members: readonly JsonObject[];
  readonly path: readonly string[];
  readonly add: Add;
}

function referTo(member: JsonObject, { members, path, add }: Union): JsonObject {
  if (member["type"] !== "object") return member;
  const variant = discriminatorOf(member, members);
  const name = nameAt(path) + pascal(variant);
  add(name, { description: `The \`${variant}\` variant of \`${path.join(".")}\`.`, ...member });
  return createRef("schemas", name);
}

/** Returns what tells a member apart: the constant of a property that all have, or a property of its own. */
function discriminatorOf(member: JsonObject, members: readonly JsonObject[]): string {
  const names = requiredOf(member);
  const constants = names.filter((name) => members.every((one) => requiredOf(one).includes(name)))
    .flatMap((name) => constantOf(member, name, members));
  const own = names.find((name) =>
    members.filter((one) => requiredOf(one).includes(name)).length === 1
  );
  return constants[0] ?? own ?? "other";
}

/** Returns the constant that a member has under a name, if no other member has the same. */
function constantOf(
  member: JsonObject,
  name: string,
  members: readonly JsonObject[],
): readonly string[] {
  const value = membersOf(member).get(name)?.["const"];
  const same = members.filter((one) => membersOf(one).get(name)?.["const"] === value);
  return typeof value === "string" && same.length === 1 ? [value] : [];
}

/** Returns the path to a union as one name. A member that begins the name of its owner is not repeated. */
function nameAt([owner = "", ...members]: readonly string[]): string {
  return members.map(pascal).filter((member) => !owner.startsWith(member)).reduce(
    (name, member) => name + member,
    owner,
  );
}

function pascal(words: string): string {
  return words.split("_").map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("");
}
