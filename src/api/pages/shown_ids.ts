/**
 * Finds what the content of a page shows by ID, a few documents at a time: a page may have any number.
 *
 * @module
 */
import { originalOf } from "../../content/blocks/mod.ts";
import { collectNamed } from "../../content/markdown/render_page.ts";
import type { NodeDoc } from "../../content/schema/node.ts";
import { uploadsIn } from "../../content/values/hosted_files.ts";
import type { Mentioned } from "../../content/values/mentions.ts";
import { nodePortions } from "../../shared/node_portions.ts";
import type { Rest } from "../../shared/yield_to_event_loop.ts";
import type { Services } from "../shared/services.ts";

/** Users, pages and databases, and more that documents name by ID. */
export interface ShownIds extends Mentioned {
  readonly uploads: Set<string>;
}

/** Reads documents that show names of others. */
export type Mentioning = AsyncIterable<readonly NodeDoc[]>;

/**
 * Reads the documents in a page that show names of others. `nodesOf` returns the nodes of the page, if
 * there are many.
 */
export async function* readMentioning(
  { store }: Services,
  { workspace, id }: { readonly workspace: string; readonly id: string },
  nodesOf: () => Promise<readonly { readonly id: string; readonly hasMentions: boolean }[]>,
): Mentioning {
  const ids = await store.mentioning(workspace, id) ??
    (await nodesOf()).flatMap((node) => node.hasMentions ? [node.id] : []);
  yield* nodePortions(store, workspace, ids);
}

interface Mentions {
  readonly isEmpty: boolean;
  /** IDs of originals by those of their copies. */
  readonly originals: ReadonlyMap<string, string>;
}

/** Adds what documents show. */
export async function addShownIds(
  shown: ShownIds,
  mentioning: Mentioning,
  rest: Rest,
): Promise<Mentions> {
  const originals = new Map<string, string>();
  let isEmpty = true;
  for await (const docs of mentioning) {
    isEmpty &&= docs.length === 0;
    for (const doc of docs) {
      collectNamed(doc, shown);
      for (const id of uploadsIn(doc.doc)) shown.uploads.add(id);
      const original = originalOf(doc);
      if (original !== undefined) originals.set(doc.id, original);
      await rest();
    }
  }
  return { isEmpty, originals };
}
