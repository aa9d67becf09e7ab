/**
 * Pages of nodes: a list is read until its documents fill a page, and one node further.
 *
 * @module
 */
import type { NodeRow } from "./node_row.ts";
import type { Parameter, ReadPlan } from "./query.ts";

/** A list of nodes in an order. */
export interface NodeList {
  /** `FROM` to its end, with the nodes as `n`. */
  readonly from: string;
  /** The column with a node's position in the order. */
  readonly place: string;
  /** How many parameters it takes. */
  readonly parameters: number;
}

/** Reads the first nodes of a list: at most `limit`, and no more than fill one page and the next. */
export type NodePage = (limit: number, values: readonly Parameter[]) => ReadPlan<NodeRow[]>;
