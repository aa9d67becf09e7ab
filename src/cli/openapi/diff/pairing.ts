/**
 * Pairs the shapes of two schemas that correspond to each other.
 *
 * @module
 */
import { membersOf, requiredOf } from "../walk.ts";
import type { Pair } from "./finding.ts";
import type { Shape } from "./shapes.ts";

export interface Pairing {
  readonly pairs: readonly Pair<Shape>[];
  readonly gone: readonly Shape[];
  readonly fresh: readonly Shape[];
}

type Likeness = (shape: Shape, union: readonly Shape[]) => string | undefined;

/** Criteria by which two shapes correspond, the most reliable first. */
const LIKENESSES: readonly Likeness[] = [
  ({ name }) => name,
  constantsOf,
  (shape) =>
    isPlainObject(shape) ? `has ${[...membersOf(shape.keywords).keys()].sort()}` : undefined,
  (shape) => isPlainObject(shape) ? `needs ${needsOf(shape)}` : undefined,
  ({ kind }, union) =>
    kind !== "object" || union.filter((one) => one.kind === kind).length === 1 ? kind : undefined,
];

/** Pairs each shape with the first one that is most similar. */
export function pairUp({ before, after }: Pair<readonly Shape[]>): Pairing {
  const pairs: Pair<Shape>[] = [];
  const [gone, fresh] = [new Set(before), new Set(after)];
  for (const likeness of LIKENESSES) {
    for (const one of gone) {
      const key = likeness(one, before);
      const other = key && [...fresh].find((shape) => likeness(shape, after) === key);
      if (!other) continue;
      pairs.push({ before: one, after: other });
      gone.delete(one);
      fresh.delete(other);
    }
  }
  return { pairs, gone: [...gone], fresh: [...fresh] };
}

/** Returns the members of an object that have a constant value, such as its `type`. Empty if it has none. */
export function constantsOf({ keywords }: Shape): string {
  return [...membersOf(keywords)].flatMap(([name, member]) =>
    member["const"] === undefined ? [] : [`${name} ${JSON.stringify(member["const"])}`]
  ).sort().join(", ");
}

function isPlainObject(shape: Shape): boolean {
  return shape.kind === "object" && constantsOf(shape) === "";
}

function needsOf({ keywords }: Shape): string {
  return requiredOf(keywords).toSorted().join(", ");
}

/** Returns the place of a shape. It names the object if the union has more than one. */
export function placeOf(
  place: string,
  { after }: Pair<Shape>,
  all: Pair<readonly Shape[]>,
): string {
  const isOnly = all.after.filter(({ kind }) => kind === after.kind).length < 2;
  return isOnly ? place : `${place}[${constantsOf(after) || needsOf(after)}]`;
}
