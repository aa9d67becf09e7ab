/**
 * How long the vectors of pages are.
 *
 * @module
 */
import type { PageVectors } from "./port.ts";

/** The dimensions of these pages' vectors, which are equally long; undefined without vectors. */
export function dimensionsOf(
  pages: readonly Pick<PageVectors, "blocks" | "vectors">[],
): number | undefined {
  const page = pages.find(({ vectors }) => vectors.length > 0);
  return page && page.vectors.length / page.blocks.length;
}
