/**
 * Compares two shapes of one kind.
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../json.ts";
import { breaks, type Effect, type Finding, type Pair, type Side } from "./finding.ts";
import { admits, effectOf, valueOf } from "./keywords.ts";
import { compareObjects } from "./objects.ts";
import type { Shape } from "./shapes.ts";

export interface Comparing {
  readonly side: Side;
  readonly place: string;
  /** Compares two schemas inside of these. */
  readonly compareInner: (schemas: Pair<unknown>, place: string) => Iterable<Finding>;
}

/** Compares two shapes of one kind. Yields nothing if they allow the same values. */
export function* compareShapes(shapes: Pair<Shape>, comparing: Comparing): Generator<Finding> {
  if (shapes.before.values !== undefined || shapes.after.values !== undefined) {
    return yield* compareValues(shapes, comparing);
  }
  const keywords = { before: shapes.before.keywords, after: shapes.after.keywords };
  yield* compareKeywords(keywords, comparing);
  if (shapes.after.kind === "object") yield* compareObjects(keywords, comparing);
  if (shapes.after.kind === "array") {
    const { before, after } = keywords;
    const items = { before: before["items"], after: after["items"] };
    yield* comparing.compareInner(items, `${comparing.place}[]`);
  }
}

/** Returns values as text for a message. */
export function inWords(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(", ");
}

function* compareValues(
  { before, after }: Pair<Shape>,
  { side, place }: Comparing,
): Generator<Finding> {
  const finding = (effect: Effect, detail: string): Finding => ({
    place,
    detail,
    isBreaking: breaks(effect, side),
  });
  const lost = before.values?.filter((value) => !isAllowed(value, after)) ?? [];
  const gained = after.values?.filter((value) => !isAllowed(value, before)) ?? [];
  if (before.values === undefined) {
    yield finding("narrower", `only ${inWords(after.values ?? [])}`);
  }
  if (lost.length > 0) yield finding("narrower", `no longer ${inWords(lost)}`);
  if (gained.length > 0) yield finding("wider", `also ${inWords(gained)}`);
  if (after.values === undefined) {
    yield finding("wider", `not only ${inWords(before.values ?? [])}`);
  }
}

/** True if a shape allows a value. For objects and arrays only listed values count. */
function isAllowed(value: unknown, { kind, values, keywords }: Shape): boolean {
  if (values !== undefined) return values.some((one) => isDeepStrictEqual(one, value));
  return kind !== "object" && kind !== "array" && admits(keywords, value);
}

/** Keywords that contain schemas, which are compared separately. */
const STRUCTURE = new Set([
  ...["properties", "required", "additionalProperties", "propertyNames", "items"],
]);

function* compareKeywords(
  { before, after }: Pair<JsonObject>,
  { side, place }: Comparing,
): Generator<Finding> {
  const all = new Set([...Object.keys(before), ...Object.keys(after)]).difference(STRUCTURE);
  for (const keyword of all) {
    const [was, is] = [valueOf(before, keyword), valueOf(after, keyword)];
    if (isDeepStrictEqual(was, is)) continue;
    const detail = `${keyword}: ${valueInWords(was)} → ${valueInWords(is)}`;
    yield { place, detail, isBreaking: breaks(effectOf(keyword, was, is), side) };
  }
}

function valueInWords(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value);
}
