/**
 * Search results as JSON: pages, rows and databases, in order.
 *
 * @module
 */
import { databaseJson } from "../../content/databases/json.ts";
import { createReplyBudget } from "../../content/formulas/compute_budget.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { pageJson } from "../../content/pages/page_json.ts";
import type { Database } from "../shared/database_cache.ts";
import { readDocs } from "../shared/nodes.ts";
import { rowJsons } from "../databases/rows.ts";
import type { Services } from "../shared/services.ts";

/** Returns, by ID, the databases among the nodes and the databases of the rows among them. */
export async function databasesOf(
  { databases }: Services,
  workspace: string,
  nodes: readonly NodeView[],
): Promise<ReadonlyMap<string, Database>> {
  const ids = new Set(nodes.flatMap(databaseIdOf));
  const found = await Promise.all([...ids].map((id) => databases.find(workspace, id)));
  return new Map(found.flatMap((one) => one === undefined ? [] : [[one.node.id, one]]));
}

function databaseIdOf({ id, kind, parentKind, parentId }: NodeView): string[] {
  if (kind === "database") return [id];
  return parentKind === "database" && parentId !== null ? [parentId] : [];
}

export interface SearchResults {
  readonly nodes: readonly NodeView[];
  readonly databases: ReadonlyMap<string, Database>;
  readonly now: number;
}

/** Returns pages and databases as JSON text, in the same order. */
export async function foundJsons(
  services: Services,
  workspace: string,
  { nodes, databases, now }: SearchResults,
): Promise<string[]> {
  const { publicUrl, pageUrl } = services;
  const docs = await readDocs(services, workspace, nodes);
  const work = createReplyBudget();
  const rows = new Map<string, string>();
  for (const [databaseId, own] of Map.groupBy(nodes.filter(isRow), ({ parentId }) => parentId)) {
    const database = databases.get(databaseId ?? "");
    if (database === undefined) continue;
    const jsons = await rowJsons(services, workspace, { database, nodes: own, work, now });
    own.forEach(({ id }, index) => rows.set(id, jsons[index] ?? ""));
  }
  return nodes.map((node, index) => {
    const doc = docs[index] ?? node.doc;
    if (isRow(node)) return rows.get(node.id) ?? "";
    if (node.kind === "page") return pageJson(node, { publicUrl, pageUrl, doc });
    const related = databases.get(node.id)?.related ?? new Map();
    return databaseJson(node, { publicUrl, pageUrl, doc, related });
  });
}

function isRow({ kind, parentKind }: NodeView): boolean {
  return kind === "page" && parentKind === "database";
}
