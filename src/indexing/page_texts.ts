/**
 * The texts of pages, as their vectors are made of them.
 *
 * @module
 */
import { parseDatabaseDoc } from "../content/databases/database.ts";
import type { Schema } from "../content/databases/schema.ts";
import type { ContentNode, NodeView } from "../content/node.ts";
import { textsOf } from "../content/texts.ts";
import { MOST_TEXT, type Passage, passagesOf, type TextBlock } from "../search/passages.ts";
import { createSlices, type EndSlice } from "../search/slices.ts";
import type { Store } from "../store/port.ts";

type TextStore = Pick<Store, "nodes" | "content" | "docs">;

/** Documents of one page that are read at once. */
const DOCS = 200;

/**
 * The passages of these pages, in their order; none of one that does not exist, but those of trashed
 * ones too, for they may come back. Of a very long page no more is read than its passages take.
 */
export async function readPassages(
  store: TextStore,
  workspace: string,
  ids: readonly string[],
): Promise<Passage[][]> {
  const endSlice = createSlices();
  const nodes = await store.nodes(workspace, ids);
  const pages = new Map(
    nodes.filter(({ kind }) => kind === "page").map((page) => [page.id, page]),
  );
  const schemas = await readSchemas(store, workspace, [...pages.values()]);
  const passages: Passage[][] = [];
  for (const id of ids) {
    await endSlice();
    const page = pages.get(id);
    if (page === undefined) passages.push([]);
    else {
      const blocks = await readBlocks(store, workspace, id, endSlice);
      passages.push(passagesOf({
        title: page.title,
        blocks: [...rowTexts(page, schemas), ...blocks],
      }));
    }
  }
  return passages;
}

/** The first texts of a page's blocks: as many as its passages are made of. */
async function readBlocks(
  store: TextStore,
  workspace: string,
  ...[id, endSlice]: [id: string, endSlice: EndSlice]
): Promise<TextBlock[]> {
  const blocks = await blocksOf(store, workspace, id);
  const texts: TextBlock[] = [];
  for (let at = 0, length = 0; at < blocks.length && length < MOST_TEXT; at += DOCS) {
    await endSlice();
    const some = blocks.slice(at, at + DOCS);
    const docs = await readDocs(store, workspace, some);
    const read = some.flatMap((block) => toTextBlock(block, docs));
    texts.push(...read);
    length += read.reduce((sum, { text }) => sum + text.trim().length, 0);
  }
  return texts;
}

/** The blocks of a page in the order in which they are read. */
async function blocksOf(
  store: TextStore,
  workspace: string,
  id: string,
): Promise<ContentNode[]> {
  const content = await store.content(workspace, id);
  const children = Map.groupBy(content?.nodes ?? [], ({ parentId }) => parentId);
  const ordered: ContentNode[] = [];
  const open = lastFirst(children.get(id));
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (block.kind === "block") ordered.push(block);
    open.push(...lastFirst(children.get(block.id)));
  }
  return ordered;
}

function lastFirst(siblings: readonly ContentNode[] = []): ContentNode[] {
  return siblings.toSorted((a, b) => a.position < b.position ? 1 : -1);
}

/** The documents of blocks, by their ids. */
async function readDocs(
  store: TextStore,
  workspace: string,
  blocks: readonly ContentNode[],
): Promise<ReadonlyMap<string, string>> {
  const docs = await store.docs(workspace, blocks.map(({ id }) => id));
  return new Map(docs.map(({ id, doc }) => [id, doc]));
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
  const text = textsOf(page, schemas.get(page.parentId ?? "")).join("\n");
  return text === "" ? [] : [{ id: page.id, text }];
}

function toTextBlock(block: ContentNode, docs: ReadonlyMap<string, string>): TextBlock[] {
  const doc = docs.get(block.id);
  if (doc === undefined) return [];
  const { id, kind, type } = block;
  return [{ id, text: textsOf({ kind, type, parentKind: "page", doc }).join("\n") }];
}
