/**
 * Rows in lists, which show the same rows again and again.
 *
 * @module
 */
import { isSelfContained } from "../../content/properties/mod.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { LongText, type Text } from "../../shared/long_text.ts";
import type { RowListing } from "../../store/port.ts";
import type { Services } from "../shared/services.ts";
import { rowJsons, type RowReplies } from "./rows.ts";

export type ListedRows = Omit<RowReplies, "names" | "changes">;

/** Rows of one list as JSON text with all properties. */
export interface RowTexts extends Pick<RowListing, "isKnown"> {
  /** Prints rows that are not known. */
  print(nodes: readonly NodeView[], pause?: RowReplies["pause"]): Promise<void>;
  /** The text of a row that is known or was printed. */
  textOf(id: string): Text;
}

/**
 * Returns the texts of rows of a database. A row that follows from its document and its database alone
 * is printed once for each of their versions.
 */
export function createRowTexts(
  services: Services,
  workspace: string,
  list: Omit<ListedRows, "nodes">,
): RowTexts {
  const { rowTexts } = services;
  const { node: { version: databaseVersion }, doc } = list.database;
  const isConstant = isSelfContained(doc.properties);
  const keyOf = (id: string) => `${workspace}\n${id}`;
  const stateOf = (version: number) => `${version} ${databaseVersion}`;
  const texts = new Map<string, Text>();
  return {
    isKnown(id, version) {
      const known = isConstant ? rowTexts.find(keyOf(id), stateOf(version)) : undefined;
      if (known !== undefined) texts.set(id, known.body);
      return known !== undefined;
    },
    async print(nodes, pause) {
      if (nodes.length === 0) return;
      const printed = await rowJsons(services, workspace, { ...list, nodes, pause });
      for (const [index, { id, version, hasMentions }] of nodes.entries()) {
        const body = printed[index] ?? "";
        texts.set(id, body);
        // Mentioned objects can be renamed without a new version of the row.
        if (!isConstant || hasMentions || body instanceof LongText) continue;
        rowTexts.store(keyOf(id), stateOf(version), { body });
      }
    },
    textOf: (id) => texts.get(id) ?? "",
  };
}

/** Returns rows with all properties as JSON text, in the same order. */
export async function listedRowJsons(
  services: Services,
  workspace: string,
  { nodes, ...list }: ListedRows,
): Promise<readonly Text[]> {
  const { isKnown, print, textOf } = createRowTexts(services, workspace, list);
  await print(nodes.filter(({ id, version }) => !isKnown(id, version)));
  return nodes.map(({ id }) => textOf(id));
}
