/**
 * Compares two object schemas.
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../json.ts";
import { isSchema, requiredOf } from "../walk.ts";
import type { Comparing } from "./compare.ts";
import { breaks, type Finding, inside, type Pair } from "./finding.ts";

/** Compares the members of two object schemas. */
export function* compareObjects(
  keywords: Pair<JsonObject>,
  comparing: Comparing,
): Generator<Finding> {
  const members = { before: propertiesOf(keywords.before), after: propertiesOf(keywords.after) };
  for (const [name, before] of members.before) {
    const place = inside(comparing.place, name);
    if (!members.after.has(name)) {
      // Clients that send or read it no longer get what they expect, even if nothing is rejected.
      yield { place, detail: "is gone", isBreaking: true };
      continue;
    }
    yield* comparePresence(name, { keywords, comparing });
    yield* comparing.compareInner({ before, after: members.after.get(name) }, place);
  }
  for (const [name, after] of members.after) {
    if (!members.before.has(name)) {
      yield* compareNew({ name, schema: after }, { keywords, comparing });
    }
  }
  yield* compareOthers(keywords, comparing);
  yield* compareNames(keywords, comparing);
}

interface Within {
  readonly keywords: Pair<JsonObject>;
  readonly comparing: Comparing;
}

function propertiesOf({ properties }: JsonObject): ReadonlyMap<string, unknown> {
  return new Map(isSchema(properties) ? Object.entries(properties) : []);
}

function* comparePresence(name: string, { keywords, comparing }: Within): Generator<Finding> {
  const was = requiredOf(keywords.before).includes(name);
  const is = requiredOf(keywords.after).includes(name);
  if (was === is) return;
  const isBreaking = breaks(is ? "narrower" : "wider", comparing.side);
  const place = inside(comparing.place, name);
  yield { place, detail: is ? "must be there" : "may be absent", isBreaking };
}

interface Member {
  readonly name: string;
  readonly schema: unknown;
}

function* compareNew(
  { name, schema }: Member,
  { keywords: { before, after }, comparing }: Within,
): Generator<Finding> {
  const place = inside(comparing.place, name);
  const isRequired = requiredOf(after).includes(name);
  const detail = isRequired ? "is new and must be there" : "is new";
  yield {
    place,
    detail: comparing.side === "answer" ? "is new" : detail,
    isBreaking: comparing.side === "request" && isRequired,
  };
  // Until now the member was one of the other members.
  const others = before["additionalProperties"];
  if (isSchema(others)) yield* comparing.compareInner({ before: others, after: schema }, place);
}

const OTHERS = ["none", "some", "any"] as const;

/** Returns which members an object may have besides the named ones. */
function othersOf({ additionalProperties }: JsonObject): typeof OTHERS[number] {
  if (additionalProperties === false) return "none";
  return isSchema(additionalProperties) && Object.keys(additionalProperties).length > 0
    ? "some"
    : "any";
}

function* compareOthers(
  { before, after }: Pair<JsonObject>,
  comparing: Comparing,
): Generator<Finding> {
  const { side, place, compareInner } = comparing;
  const [was, is] = [othersOf(before), othersOf(after)];
  if (was === "some" && is === "some") {
    const schemas = {
      before: before["additionalProperties"],
      after: after["additionalProperties"],
    };
    return yield* compareInner(schemas, inside(place, "*"));
  }
  if (was === is) return;
  // Clients ignore members that they do not know, but the service may reject them.
  const isBreaking = side === "request" ? OTHERS.indexOf(is) < OTHERS.indexOf(was) : was === "some";
  yield { place, detail: `other members: ${was} → ${is}`, isBreaking };
}

function* compareNames(
  { before, after }: Pair<JsonObject>,
  comparing: Comparing,
): Generator<Finding> {
  const names = { before: namesOf(before), after: namesOf(after) };
  if (isDeepStrictEqual(names.before, names.after)) return;
  yield* comparing.compareInner(names, inside(comparing.place, "(names)"));
}

function namesOf({ propertyNames }: JsonObject): JsonObject {
  return { type: "string", ...(isSchema(propertyNames) && propertyNames) };
}
