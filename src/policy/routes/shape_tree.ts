/**
 * Values by the first segments of the paths that they are for.
 *
 * @module
 */
import type { PathShape } from "./path_shape.ts";

/** The values of paths with the same first segments, and a tree for each next segment. */
export interface ShapeTree<T> {
  readonly literals: Map<string, ShapeTree<T>>;
  /** The tree below a segment that can have several texts. */
  other: ShapeTree<T> | undefined;
  /** Values of paths without another segment. */
  readonly whole: T[];
  /** Values of paths that go on in any way. */
  readonly open: T[];
}

export function createShapeTree<T>(): ShapeTree<T> {
  return { literals: new Map(), other: undefined, whole: [], open: [] };
}

/** Adds a value. */
export function addShape<T>(
  tree: ShapeTree<T>,
  { segments, isWhole }: PathShape,
  value: T,
): void {
  let at = tree;
  for (const segment of segments) {
    at = segment === undefined
      ? at.other ??= createShapeTree()
      : at.literals.getOrInsertComputed(segment, createShapeTree<T>);
  }
  (isWhole ? at.whole : at.open).push(value);
}

/** Yields the values that a path of these segments may be for. */
export function* shapesOf<T>(
  tree: ShapeTree<T>,
  segments: readonly string[],
  index = 0,
): Generator<T> {
  yield* tree.open;
  const segment = segments[index];
  if (segment === undefined) return yield* tree.whole;
  for (const next of [tree.literals.get(segment), tree.other]) {
    if (next !== undefined) yield* shapesOf(next, segments, index + 1);
  }
}

/** Yields the values that some path of this shape may be for. */
export function* sharedShapes<T>(
  tree: ShapeTree<T>,
  shape: PathShape,
  index = 0,
): Generator<T> {
  const isEnd = index === shape.segments.length;
  if (isEnd && !shape.isWhole) return yield* allOf(tree);
  yield* tree.open;
  if (isEnd) return yield* tree.whole;
  for (const next of nextsOf(tree, shape.segments[index])) {
    yield* sharedShapes(next, shape, index + 1);
  }
}

function* allOf<T>(tree: ShapeTree<T>): Generator<T> {
  yield* tree.whole;
  yield* tree.open;
  for (const next of nextsOf(tree, undefined)) yield* allOf(next);
}

function nextsOf<T>(
  { literals, other }: ShapeTree<T>,
  segment: string | undefined,
): ShapeTree<T>[] {
  const found = segment === undefined ? [...literals.values()] : [literals.get(segment)];
  return [...found, other].filter((next) => next !== undefined);
}
