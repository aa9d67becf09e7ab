/**
 * Reads what the copies of synced blocks in a page show: the content of other pages.
 *
 * @module
 */
import { isShownOriginal } from "../../content/blocks/mod.ts";
import { addCopiedSteps, type CopiedNodes } from "../../content/markdown/copied_blocks.ts";
import type { Content, NodeView } from "../../content/schema/node.ts";
import type { Services } from "../shared/services.ts";
import { readNodes } from "../../shared/node_portions.ts";
import { createRest, withRests } from "../../shared/yield_to_event_loop.ts";

/** Pages whose originals the copies of one page show at most. */
const MAX_PAGES = 50;

/** The originals that a page shows. */
export interface CopySources {
  /** Originals by ID of their copy. */
  readonly originals: ReadonlyMap<string, NodeView>;
  /** Versions of the pages that the originals are in. */
  readonly versions: ReadonlyMap<string, number>;
  /** IDs of the copies that are not shown because the page has too many sources. */
  readonly omitted: readonly string[];
}

const NONE: CopySources = {
  originals: new Map(),
  versions: new Map(),
  omitted: [],
};

/** Finds originals by the IDs of their copies. */
export async function findCopySources(
  { store }: Services,
  workspace: string,
  ids: ReadonlyMap<string, string>,
): Promise<CopySources> {
  if (ids.size === 0) return NONE;
  const found = await readNodes(store, workspace, [...new Set(ids.values())]);
  const shown = new Map(found.filter(isShownOriginal).map((node) => [node.id, node]));
  const all = [...ids].flatMap(([copy, id]) => {
    const original = shown.get(id);
    return original === undefined ? [] : [[copy, original] as const];
  });
  const pages = [...new Set(all.map(([, original]) => pageOf(original)))].slice(0, MAX_PAGES);
  const isRead = ([, original]: (typeof all)[number]) => pages.includes(pageOf(original));
  // Before what depends on them, so that a change in between is noticed.
  const versions = await store.versions(workspace, pages);
  return {
    originals: new Map(all.filter(isRead)),
    versions: new Map(pages.map((id) => [id, versions.get(id) ?? 0])),
    omitted: all.filter((one) => !isRead(one)).map(([copy]) => copy),
  };
}

/**
 * Reads what the copies of a page show, one page after the other; undefined if one of them has changed.
 * `own` is the content of the page itself, which may have originals, too.
 */
export async function readCopiedNodes(
  { store }: Services,
  workspace: string,
  { sources, own }: {
    readonly sources: CopySources;
    readonly own: { readonly id: string; readonly content: Content };
  },
): Promise<CopiedNodes | undefined> {
  const rest = createRest();
  const copied: CopiedNodes = { nodes: [], omitted: [] };
  const byId = new Map(own.content.nodes.map((node) => [node.id, node]));
  const byPage = Map.groupBy(sources.originals, ([, original]) => pageOf(original));
  for (const [id, copies] of byPage) {
    const content = id === own.id ? own.content : await store.content(workspace, id);
    if (content === undefined || content.version !== sources.versions.get(id)) return undefined;
    const originals = copies.map(([copy, original]) => [copy, original.id] as const);
    const { nodes } = content;
    await withRests(addCopiedSteps(copied, byId, { nodes, originals }), rest);
  }
  return copied;
}

function pageOf({ containerId }: NodeView): string {
  // Every block is in a page.
  return containerId ?? "";
}
