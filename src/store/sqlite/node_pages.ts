/**
 * Reading a page of nodes. Long documents are read one at a time, because a page may have megabytes.
 *
 * @module
 */
import { LIMITS } from "../../content/values/limits.ts";
import type { NodeView } from "../../content/schema/node.ts";
import type { ReadDialect } from "../reads/dialect.ts";
import {
  hasDoc,
  nodeColumns,
  type NodeRow,
  type NodeText,
  toView,
  VERSION,
} from "../reads/node_row.ts";
import type { ReadPlan } from "../reads/query.ts";

/** How often a page that changes meanwhile is read node by node; then it is read at once. */
const ATTEMPTS = 3;

/**
 * Reads all nodes at once if they surely fit one page, which is twice as fast as one by one. The length
 * of a document is known without reading it.
 */
export const pageOf: ReadDialect["pageOf"] = ({ dialect, query }, { from, parameters }) => {
  const whole = query<NodeRow>(`SELECT ${nodeColumns(dialect)} ${from}`);
  // A long title is in a long document.
  const ifShort = (column: string) =>
    `iif(octet_length(n.doc) <= $${parameters + 1}, ${column}, NULL)`;
  const short = query<NodeRow>(`SELECT ${nodeColumns(dialect, ifShort)} ${from}`);
  const long = query<NodeText>(
    "SELECT title, doc FROM nodes WHERE workspace_id = $1 AND id = $2 AND version = $3",
  );

  /** Reads the long nodes among these; undefined if one of them changed meanwhile. */
  function* oneByOne(
    workspace: string,
    rows: readonly NodeRow[],
  ): ReadPlan<NodeView[] | undefined> {
    const page = createPage();
    for (const row of rows) {
      const text: NodeText | undefined = hasDoc(row)
        ? [row[7], row[8]]
        : yield* long.first([workspace, row[0], row[VERSION]], (text) => text);
      if (text === undefined) return undefined;
      if (page.add(toView(workspace, row, text))) break;
    }
    return page.nodes;
  }

  return function* (workspace, limit, values) {
    const longest = Math.floor(LIMITS.pageLength / limit);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const rows = yield* short.all([workspace, ...values, longest], (row) => row);
      if (rows.every(hasDoc)) return rows.map((row) => toView(workspace, row));
      const nodes = yield* oneByOne(workspace, rows);
      if (nodes !== undefined) return nodes;
    }
    const page = createPage();
    for (const row of yield* whole.lazily([workspace, ...values])) {
      if (page.add(toView(workspace, row))) break;
    }
    return page.nodes;
  };
};

interface Page {
  readonly nodes: NodeView[];
  /** Adds a node, and returns whether the page was full before it. */
  add(node: NodeView): boolean;
}

function createPage(): Page {
  const nodes: NodeView[] = [];
  let length = 0;
  return {
    nodes,
    add(node) {
      nodes.push(node);
      const isFull = length >= LIMITS.pageLength;
      length += node.doc.length;
      return isFull;
    },
  };
}
