/**
 * The texts of pages, as their vectors are made of them.
 *
 * @module
 */
import { parseDatabaseDoc } from "../content/databases/database.ts";
import type { Schema } from "../content/databases/schema.ts";
import type { ContentNode, NodeView } from "../content/node.ts";
import { textsOf } from "../content/texts.ts";
import type { PageText, TextBlock } from "../search/passages.ts";
import type { Store } from "../store/port.ts";

type TextStore = Pick<Store, "nodes" | "content" | "docs">;

/** The texts of those of these pages that exist, by id; of trashed ones too, for they may come back. */
export async function readPageTexts(
  store: TextStore,
  workspace: string,
  ids: readonly string[],
): Promise<Map<string, PageText>> {
  const nodes = await store.nodes(workspace, ids);
  const pages = nodes.filter(({ kind }) => kind === "page");
  const contents = await Promise.all(pages.map(({ id }) => blocksOf(store, workspace, id)));
  const docs = await readDocs(store, workspace, contents.flat());
  const schemas = await readSchemas(store, workspace, pages);
  return new Map(pages.map((page, index) => {
    const blocks = (contents[index] ?? []).flatMap((block) => toTextBlock(block, docs));
    return [page.id, { title: page.title, blocks: [...rowTexts(page, schemas), ...blocks] }];
  }));
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
