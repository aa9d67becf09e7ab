/**
 * Reads the texts of pages for their vectors.
 *
 * @module
 */
import { parseDatabaseDoc } from "../content/schema/database.ts";
import type { CommentCursor } from "../content/schema/comment.ts";
import type { Schema } from "../content/schema/property.ts";
import type { NodeView } from "../content/schema/node.ts";
import { commentTexts } from "../content/comments/comment_doc.ts";
import { nodeTexts } from "../content/pages/node_texts.ts";
import { MOST_TEXT, type Passage, passagesOf, type TextBlock } from "../search/passages.ts";
import { createBackgroundRest, type Rest } from "../shared/yield_to_event_loop.ts";
import type { CommentReader, ContentReader, NodeReader } from "../store/port.ts";
import { readNodes } from "../shared/node_portions.ts";

export type TextStore =
  & Pick<NodeReader, "firstNodes" | "children">
  & Pick<ContentReader, "docs">
  & Pick<CommentReader, "pageComments">;

/** Children of a page or block to read at once. */
const CHILDREN = 200;

/**
 * Returns the passages of these pages, in order: an empty list for a page that does not exist, but all
 * passages of a trashed one, which may be restored. Reads a very long page only as far as necessary.
 */
export async function readPassages(
  store: TextStore,
  workspace: string,
  ids: readonly string[],
  rest: Rest = createBackgroundRest(),
): Promise<Passage[][]> {
  const nodes = await readNodes(store, workspace, ids, rest);
  const pages = new Map(nodes.flatMap((node) => node.kind === "page" ? [[node.id, node]] : []));
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

/** Returns the texts of a page's blocks in reading order, up to the length that its passages take. */
async function readBlocks(
  store: TextStore,
  workspace: string,
  ...[id, rest]: [id: string, rest: Rest]
): Promise<TextBlock[]> {
  const texts: TextBlock[] = [];
  let length = 0;
  /** Reads the blocks below a page or block, depth first. */
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
  if (length < MOST_TEXT) texts.push(...await readComments(store, workspace, id, rest));
  return texts;
}

/** Returns the texts of the comments in a page, the oldest first, up to the same length. */
async function readComments(
  store: TextStore,
  workspace: string,
  ...[pageId, rest]: [pageId: string, rest: Rest]
): Promise<TextBlock[]> {
  const texts: TextBlock[] = [];
  let length = 0;
  let after: CommentCursor | undefined;
  do {
    await rest();
    const comments = await store.pageComments(workspace, pageId, { after, limit: CHILDREN });
    for (const { id, doc } of comments) {
      const text = commentTexts(doc).join("\n");
      texts.push({ id, text });
      length += text.length;
    }
    after = comments.at(-1);
  } while (after !== undefined && length < MOST_TEXT);
  return texts;
}

/** Returns the schemas of the databases that contain these pages, by database ID. */
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

/** Returns the text of a row's properties as a block with the row's ID. */
function rowTexts(page: NodeView, schemas: ReadonlyMap<string, Schema>): TextBlock[] {
  const text = nodeTexts(page, schemas.get(page.parentId ?? "")).join("\n");
  return text === "" ? [] : [{ id: page.id, text }];
}

function toTextBlock({ id, kind, type, doc }: NodeView): TextBlock {
  return { id, text: nodeTexts({ kind, type, parentKind: "page", doc }).join("\n") };
}
