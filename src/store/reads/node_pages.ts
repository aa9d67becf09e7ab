/**
 * Pages of nodes: a list is read until its documents fill a page, and one node further.
 *
 * @module
 */
import type { NodeView } from "../../content/schema/node.ts";
import type { Parameter, ReadPlan } from "./query.ts";

/** A list of nodes of a workspace, its parameter `$1`, in an order. */
export interface NodeList {
  /** `FROM` to its end, with the nodes as `n`. */
  readonly from: string;
  /** The column with a node's position in the order. */
  readonly place: string;
  /** How many parameters it takes, the workspace among them. */
  readonly parameters: number;
}

/** Reads the first nodes of a list: at most `limit`, and no more than fill one page and the next. */
export type NodePage = (
  workspace: string,
  limit: number,
  values: readonly Parameter[],
) => ReadPlan<NodeView[]>;
