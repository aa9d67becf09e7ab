/**
 * Pages of nodes: a list of nodes is read no further than one page is long, and one node more.
 *
 * @module
 */
import type { NodeRow } from "./node_row.ts";
import type { Parameter, ReadPlan } from "./query.ts";

/** Nodes in an order. */
export interface NodeList {
  /** `FROM` to its end, with the nodes as `n`. */
  readonly from: string;
  /** The column that says where in the order a node stands. */
  readonly place: string;
  /** How many parameters it takes. */
  readonly parameters: number;
}

/** Reads the first nodes of a list: at most `limit`, and no more than fill one page and the next. */
export type NodePage = (limit: number, values: readonly Parameter[]) => ReadPlan<NodeRow[]>;
