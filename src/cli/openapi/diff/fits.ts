/**
 * Decides whether one schema allows everything that another one allows.
 *
 * @module
 */
import { compareShapes } from "./compare.ts";
import type { Finding, Pair, Side } from "./finding.ts";
import { type SchemaReader, type Shape, shapesOf } from "./shapes.ts";

/**
 * True if the receiver understands everything that is sent. Requests are sent by the old schemas, and
 * responses by the new ones. False if that cannot be decided.
 */
export type Fits = (shapes: Pair<readonly Shape[]>) => boolean;

const UNEXPECTED: Finding = { place: "", detail: "", isBreaking: true };

/** Schemas may be recursive: a pair that is being compared is assumed to fit until it does not. */
export function createFits(side: Side, readers: Pair<SchemaReader>): Fits {
  const assumed: Pair<Shape>[] = [];

  function fitAll({ before, after }: Pair<readonly Shape[]>): boolean {
    const [sent, received] = side === "request" ? [before, after] : [after, before];
    return sent.flatMap(eachValue).every((one) =>
      received.some((other) =>
        fit(side === "request" ? { before: one, after: other } : { before: other, after: one })
      )
    );
  }

  function fit(shapes: Pair<Shape>): boolean {
    const received = side === "request" ? shapes.after : shapes.before;
    if (received.kind === "any" && Object.keys(received.keywords).length === 0) return true;
    if (shapes.before.kind !== shapes.after.kind) return false;
    if (assumed.some((one) => one.before === shapes.before && one.after === shapes.after)) {
      return true;
    }
    const start = assumed.push(shapes) - 1;
    const isFit = !compareShapes(shapes, { side, place: "", compareInner }).some((finding) =>
      finding.isBreaking
    );
    // Drops what was concluded from the failed assumption, too.
    if (!isFit) assumed.length = start;
    return isFit;
  }

  function* compareInner(schemas: Pair<unknown>): Generator<Finding> {
    if (!fitAll(shapesOf(schemas, readers))) yield UNEXPECTED;
  }

  return (shapes) => {
    assumed.length = 0;
    return fitAll(shapes);
  };
}

/** Splits listed values, since each of them may fit another shape. */
function eachValue(shape: Shape): Shape[] {
  return shape.values?.map((value) => ({ ...shape, values: [value] })) ?? [shape];
}
