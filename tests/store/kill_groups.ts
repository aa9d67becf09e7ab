/**
 * The commits of the kill test: several nodes each, so that a partial commit is noticed.
 *
 * @module
 */
import type { Change } from "../../src/content/schema/node.ts";
import { block, insert, page, touch } from "./samples.ts";

// Longer than a page of the file, so that one commit spans several.
const DOC = JSON.stringify("kept whole ".repeat(500));

/** Ids of the nodes in a group. */
export function idsOf(name: string): string[] {
  return ["page", "first", "second"].map((part) => `${name}-${part}`);
}

/** A page with two blocks, and then its edit. */
export function groupOf(name: string): Change[] {
  const [top = "", first = "", second = ""] = idsOf(name);
  const nodes = [page(top), block(first, top, { doc: DOC }), block(second, first, { doc: DOC })];
  return [...insert(...nodes), touch(top)];
}
