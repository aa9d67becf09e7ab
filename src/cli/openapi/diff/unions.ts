/**
 * Compares two schemas: pairs their shapes, and reports those without a counterpart as gone or new.
 *
 * @module
 */
import { membersOf } from "../walk.ts";
import { compareShapes, inWords } from "./compare.ts";
import type { Finding, Pair, Side } from "./finding.ts";
import { createFits, type Fits } from "./fits.ts";
import { constantsOf, pairUp, placeOf } from "./pairing.ts";
import { nameOf } from "./references.ts";
import {
  type Alternative,
  mergeValues,
  type SchemaReader,
  type Shape,
  shapesOf,
} from "./shapes.ts";

export interface SchemaComparing {
  readonly side: Side;
  readonly readers: Pair<SchemaReader>;
  /** Called with the names of two components that correspond, which are compared separately. */
  readonly meet: (names: Pair<string>) => void;
}

export type CompareSchemas = (schemas: Pair<unknown>, place: string) => Generator<Finding>;

/** Creates a function that compares schemas of requests or responses. */
export function createComparer(comparing: SchemaComparing): CompareSchemas {
  const fits = createFits(comparing.side, comparing.readers);
  return function* compare(schemas, place) {
    const names = { before: nameOf(schemas.before), after: nameOf(schemas.after) };
    if (isMet(names, comparing.meet)) return;
    const all = shapesOf(schemas, comparing.readers);
    yield* compareUnions(schemas, {
      ...comparing,
      place,
      all,
      compareInner: compare,
      isUnderstood: (shapes) => isUnderstood(shapes, { side: comparing.side, all, fits }),
    });
  };
}

interface UnionComparing extends SchemaComparing {
  readonly place: string;
  /** All shapes of the two schemas. */
  readonly all: Pair<readonly Shape[]>;
  readonly compareInner: CompareSchemas;
  /** True if the receiving schema understands the shape that is sent, or if none is sent. */
  readonly isUnderstood: (shapes: Partial<Pair<Shape>>) => boolean;
}

function* compareUnions(schemas: Pair<unknown>, comparing: UnionComparing): Generator<Finding> {
  const { place, isUnderstood } = comparing;
  const { pairs, gone, fresh } = pairUp(meetSame(schemas, comparing));
  for (const pair of pairs) yield* comparePair(pair, comparing);
  const lost = gone.map((before) => ({ before, isBreaking: !isUnderstood({ before }) }));
  const gained = fresh.map((after) => ({ after, isBreaking: !isUnderstood({ after }) }));
  if (pairs.length === 0 && lost.length === 1 && gained.length === 1) {
    const detail = `${gone.map(describe)} → ${fresh.map(describe)}`;
    return yield { place, detail, isBreaking: [...lost, ...gained].some((one) => one.isBreaking) };
  }
  for (const { before, isBreaking } of lost) {
    yield { place, detail: `no longer ${describe(before)}`, isBreaking };
  }
  for (const { after, isBreaking } of gained) {
    yield { place, detail: `also ${describe(after)}`, isBreaking };
  }
}

function* comparePair(pair: Pair<Shape>, comparing: UnionComparing): Generator<Finding> {
  const { side, place, all, meet, compareInner, isUnderstood } = comparing;
  if (isMet({ before: pair.before.name, after: pair.after.name }, meet)) return;
  const findings = [
    ...compareShapes(pair, { side, place: placeOf(place, pair, all), compareInner }),
  ];
  const isHarmless = findings.some(({ isBreaking }) => isBreaking) && isUnderstood(pair);
  yield* isHarmless ? findings.map((one) => ({ ...one, isBreaking: false })) : findings;
}

/** True if both are components. Calls `meet` with their names. */
function isMet(
  { before, after }: Pair<string | undefined>,
  meet: SchemaComparing["meet"],
): boolean {
  if (before === undefined || after === undefined) return false;
  meet({ before, after });
  return true;
}

function isUnderstood(
  { before, after }: Partial<Pair<Shape>>,
  { side, all, fits }: Pick<UnionComparing, "side" | "all"> & { readonly fits: Fits },
): boolean {
  const sent = side === "request" ? before : after;
  if (sent === undefined) return true;
  return fits(side === "request" ? { ...all, before: [sent] } : { ...all, after: [sent] });
}

/** Calls `meet` for components that both schemas name, and returns the shapes of the rest. */
function meetSame(
  { before, after }: Pair<unknown>,
  { readers, meet }: SchemaComparing,
): Pair<readonly Shape[]> {
  const members = {
    before: readers.before.alternatives(before),
    after: readers.after.alternatives(after),
  };
  const names = new Set(members.after.map(({ name }) => name));
  const same = new Set(
    members.before.flatMap(({ name }) => name !== undefined && names.has(name) ? [name] : []),
  );
  for (const name of same) meet({ before: name, after: name });
  const isLeft = ({ name }: Alternative): boolean => name === undefined || !same.has(name);
  const shapes = (reader: SchemaReader, left: readonly Alternative[]): Shape[] =>
    mergeValues(left.flatMap(({ schema }) => reader.shapes(schema)));
  return {
    before: shapes(readers.before, members.before.filter(isLeft)),
    after: shapes(readers.after, members.after.filter(isLeft)),
  };
}

const NAMES: Readonly<Record<Shape["kind"], string>> = {
  null: "null",
  boolean: "a boolean",
  number: "a number",
  string: "a string",
  array: "an array",
  object: "an object",
  any: "any value",
};

function describe(shape: Shape): string {
  if (shape.name !== undefined) return shape.name;
  if (shape.values !== undefined) return inWords(shape.values);
  const members = constantsOf(shape) || [...membersOf(shape.keywords).keys()].join(", ");
  return shape.kind === "object" && members !== "" ? `an object of ${members}` : NAMES[shape.kind];
}
