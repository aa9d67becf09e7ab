/**
 * The texts of pages, as their vectors are made of them.
 *
 * @module
 */
import { parseDatabaseDoc } from "../content/schema/database.ts";
import type { Schema } from "../content/schema/property.ts";
import type { NodeView } from "../content/schema/node.ts";
import { nodeTexts } from "../content/pages/node_texts.ts";
import { MOST_TEXT, type Passage, passagesOf, type TextBlock } from "../search/passages.ts";
import { createBackgroundRest, type Rest } from "../shared/yield_to_event_loop.ts";
import type { ContentReader, NodeReader } from "../store/port.ts";

export type TextStore = Pick<NodeReader, "nodes" | "children"> & Pick<ContentReader, "docs">;

/** Children of a page or block that are read at once. */
const CHILDREN = 200;

/**
 * The passages of these pages, in their order; none of one that does not exist, but those of trashed
 * ones too, for they may come back. Of a very long page no more is read than its passages take.
 */
export async function readPassages(
  store: TextStore,
  workspace: string,
  ids: readonly string[],
): Promise<Passage[][]> {
  const rest = createBackgroundRest();
  const nodes = await store.nodes(workspace, ids);
  const pages = new Map(
    nodes.filter(({ kind }) => kind === "page").map((page) => [page.id, page]),
  );
  const schemas = await readSchemas(store, workspace, [...pages.values()]);
  const passages: Passage[][] = [];
  for (const id of ids) {
    await rest();
    const page = pages.get(id);
    if (page === undefined) passages.push([]);
    else {
      const blocks = await readBlocks(store, workspace, id, rest);
      passages.push(passagesOf({
        title: page.title,
        blocks: [...rowTexts(page, schemas), ...blocks],
      }));
    }
  }
  return passages;
}

/** The first texts of a page's blocks in the order in which they are read: as many as its passages take. */
async function readBlocks(
  store: TextStore,
  workspace: string,
  ...[id, rest]: [id: string, rest: Rest]
): Promise<TextBlock[]> {
  const texts: TextBlock[] = [];
  let length = 0;
  /** What is below a page or block, from one level to the next. */
  async function readBelow(parentId: string): Promise<void> {
    let children: readonly NodeView[];
    let after: string | undefined;
    do {
      await rest();
      const query = { limit: CHILDREN, ...(after !== undefined && { after }) };
      children = await store.children(workspace, parentId, query);
      after = children.at(-1)?.position;
      for (const child of children) {
        if (child.kind !== "block") continue;
        if (length >= MOST_TEXT) return;
        const block = toTextBlock(child);
        texts.push(block);
        length += block.text.trim().length;
        if (child.hasChildren) await readBelow(child.id);
      }
    } while (children.length === CHILDREN);
  }
  await readBelow(id);
  return texts;
}

/** The schemas of the databases that pages are rows of, by the databases' ids. */
async function readSchemas(
  store: TextStore,
  workspace: string,
  pages: readonly NodeView[],
): Promise<ReadonlyMap<string, Schema>> {
  const ids = pages.flatMap(({ parentKind, parentId }) =>
    parentKind === "database" && parentId !== null ? [parentId] : []
  );
  const databases = await store.docs(workspace, [...new Set(ids)]);
  return new Map(databases.map(({ id, doc }) => [id, parseDatabaseDoc(doc).properties]));
}

/** What a row's properties say, as a block that has the row's id. */
function rowTexts(page: NodeView, schemas: ReadonlyMap<string, Schema>): TextBlock[] {
  const text = nodeTexts(page, schemas.get(page.parentId ?? "")).join("\n");
  return text === "" ? [] : [{ id: page.id, text }];
}

function toTextBlock({ id, kind, type, doc }: NodeView): TextBlock {
  return { id, text: nodeTexts({ kind, type, parentKind: "page", doc }).join("\n") };
}
