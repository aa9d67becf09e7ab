/**
 * Reads what the copies of synced blocks in a page show: the content of other pages.
 *
 * @module
 */
import { isShownOriginal, originalOf } from "../../content/blocks/mod.ts";
import type { CopiedBlock } from "../../content/markdown/copied_blocks.ts";
import type { Content, NodeDoc, NodeView } from "../../content/schema/node.ts";
import type { Services } from "../shared/services.ts";
import { readNodes } from "../../shared/node_portions.ts";

/** Pages whose originals the copies of one page show at most. */
const MAX_PAGES = 50;

/** The originals that a page shows. */
export interface CopySources {
  /** Originals by ID of their copy. */
  readonly originals: ReadonlyMap<string, NodeView>;
  /** Versions of the pages that the originals are in. */
  readonly versions: ReadonlyMap<string, number>;
  /** Documents in those pages that show names of others. */
  readonly mentioning: readonly NodeDoc[];
  /** IDs of the copies that are not shown because the page has too many sources. */
  readonly omitted: readonly string[];
}

const NONE: CopySources = {
  originals: new Map(),
  versions: new Map(),
  mentioning: [],
  omitted: [],
};

/** Finds the originals of the copies among these documents. */
export async function findCopySources(
  { store }: Services,
  workspace: string,
  docs: readonly NodeDoc[],
): Promise<CopySources> {
  const ids = new Map(docs.flatMap((doc) => {
    const original = originalOf(doc);
    return original === undefined ? [] : [[doc.id, original] as const];
  }));
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
  const mentioning = await Promise.all(pages.map((id) => store.mentioning(workspace, id)));
  return {
    originals: new Map(all.filter(isRead)),
    versions: new Map(pages.map((id) => [id, versions.get(id) ?? 0])),
    mentioning: mentioning.flat(),
    omitted: all.filter((one) => !isRead(one)).map(([copy]) => copy),
  };
}

/**
 * Reads the content of the pages that the originals are in; undefined if one of them has changed.
 * `own` is the content of the page itself, which may have originals, too.
 */
export async function readCopiedBlocks(
  { store }: Services,
  workspace: string,
  { sources, own }: {
    readonly sources: CopySources;
    readonly own: { readonly id: string; readonly content: Content };
  },
): Promise<ReadonlyMap<string, CopiedBlock> | undefined> {
  const pages = new Map<string, Content>([[own.id, own.content]]);
  for (const [id, version] of sources.versions) {
    const content = pages.get(id) ?? await store.content(workspace, id);
    if (content?.version !== version) return undefined;
    pages.set(id, content);
  }
  return new Map([...sources.originals].map(([copy, original]) => {
    const nodes = pages.get(pageOf(original))?.nodes ?? [];
    return [copy, { id: original.id, nodes }];
  }));
}

function pageOf({ containerId }: NodeView): string {
  // Every block is in a page.
  return containerId ?? "";
}
