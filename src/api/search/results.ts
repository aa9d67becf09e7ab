/**
 * Search results as JSON: pages, rows and databases, in order.
 *
 * @module
 */
import { databaseJson } from "../../content/databases/json.ts";
import type { ComputeBudget } from "../../content/formulas/compute_budget.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { pageJson } from "../../content/pages/page_json.ts";
import type { Text } from "../../shared/long_text.ts";
import type { Database } from "../shared/database_cache.ts";
import { readDocs } from "../shared/nodes.ts";
import { listedRowJsons } from "../databases/listed_rows.ts";
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
  /** The compute budget of the response. */
  readonly work: ComputeBudget;
  readonly now: number;
}

/** Returns pages and databases as JSON text, in the same order. */
export async function foundJsons(
  services: Services,
  workspace: string,
  { nodes, databases, work, now }: SearchResults,
): Promise<Text[]> {
  const { publicUrl, pageUrl } = services;
  const jsons = new Map<string, Text>();
  const others = nodes.filter((node) => !isRow(node));
  const docs = await readDocs(services, workspace, others);
  for (const [index, node] of others.entries()) {
    const doc = docs[index] ?? node.doc;
    const related = databases.get(node.id)?.related ?? new Map();
    const json = node.kind === "page"
      ? pageJson(node, { publicUrl, pageUrl, doc })
      : databaseJson(node, { publicUrl, pageUrl, doc, related });
    jsons.set(node.id, json);
  }
  for (const [databaseId, rows] of Map.groupBy(nodes.filter(isRow), ({ parentId }) => parentId)) {
    const database = databases.get(databaseId ?? "");
    if (database === undefined) continue;
    const ofRows = await listedRowJsons(services, workspace, { database, nodes: rows, work, now });
    rows.forEach(({ id }, index) => jsons.set(id, ofRows[index] ?? ""));
  }
  return nodes.map(({ id }) => jsons.get(id) ?? "");
}

function isRow({ kind, parentKind }: NodeView): boolean {
  return kind === "page" && parentKind === "database";
}
