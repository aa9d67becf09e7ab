/**
 * Rows in lists, which show the same rows again and again.
 *
 * @module
 */
import { isSelfContained } from "../../content/properties/mod.ts";
import type { NodeView } from "../../content/schema/node.ts";
import type { Services } from "../shared/services.ts";
import { rowJsons, type RowReplies } from "./rows.ts";

export type ListedRows = Omit<RowReplies, "names" | "links">;

/**
 * Returns rows with all properties as JSON text, in the same order. A row that follows from its document
 * and its database alone is printed once for each of their versions.
 */
export async function listedRowJsons(
  services: Services,
  workspace: string,
  { nodes, ...list }: ListedRows,
): Promise<readonly string[]> {
  const { rowTexts } = services;
  const { node: { version }, doc } = list.database;
  const isConstant = isSelfContained(doc.properties);
  const stateOf = (node: NodeView) =>
    // Mentioned objects can be renamed without a new version of the row.
    isConstant && !node.hasMentions ? `${node.version} ${version}` : undefined;
  const texts = new Map<string, string>();
  for (const node of nodes) {
    const state = stateOf(node);
    const known = state && rowTexts.find(keyOf(workspace, node), state);
    if (known) texts.set(node.id, known.body);
  }
  const others = nodes.filter(({ id }) => !texts.has(id));
  if (others.length > 0) {
    const printed = await rowJsons(services, workspace, { ...list, nodes: others });
    for (const [index, node] of others.entries()) {
      const body = printed[index] ?? "";
      const state = stateOf(node);
      if (state) rowTexts.store(keyOf(workspace, node), state, { body });
      texts.set(node.id, body);
    }
  }
  return nodes.map(({ id }) => texts.get(id) ?? "");
}

function keyOf(workspace: string, { id }: NodeView): string {
  return `${workspace}\n${id}`;
}
