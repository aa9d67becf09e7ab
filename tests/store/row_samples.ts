/**
 * Sample rows for tests of a store, and a simple evaluation of queries.
 *
 * @module
 */
import type { LinkSide } from "../../src/content/schema/property.ts";
import type { Node } from "../../src/content/schema/node.ts";
import { type Cell, EMPTY, type PropertyCell } from "../../src/content/schema/cells.ts";
import { matches, type QueryRow } from "../../src/content/query/evaluate.ts";
import {
  type Field,
  NEWEST_FIRST,
  type RowCursor,
  type RowQuery,
} from "../../src/content/query/filter.ts";
import { compareRowCursors, cursorOf } from "../../src/content/query/order.ts";
import { fold, sortKey } from "../../src/content/schema/collation.ts";
import { page } from "./samples.ts";

export const D = "database";

/** A database at the top of its workspace. */
export function database(id: string = D): Node {
  return page(id, { kind: "database", type: "child_database" });
}

/** A row of the database `D`. */
export function rowNode(id: string, members: Partial<Node> = {}): Node {
  return page(id, { parentKind: "database", parentId: D, containerId: D, ...members });
}

export function numberCell(number: number): Cell {
  return { ...EMPTY, number };
}

export function keyCell(key: string): Cell {
  return { ...EMPTY, key };
}

export function textCell(text: string): Cell {
  return { number: null, key: sortKey(text), text: fold(text) };
}

/** Creates the cells of one property, in order. */
export function cellsOf(propertyId: string, ...cells: readonly Cell[]): PropertyCell[] {
  return cells.map((cell, ordinal) => ({ propertyId, ordinal, ...cell }));
}

/** Creates a query of `D`; the test sets only the members it is about. */
export function rowQuery(members: Partial<RowQuery> = {}): RowQuery {
  return { databaseId: D, inTrash: false, sorts: NEWEST_FIRST, limit: 100, ...members };
}

/** A row of the model. */
export interface ModelRow {
  readonly node: Node;
  readonly cells: readonly PropertyCell[];
}

/** A link of the only relation. */
export interface ModelLink {
  readonly from: string;
  readonly to: string;
  readonly ordinal: number;
}

export interface RowModel {
  readonly rows: ReadonlyMap<string, ModelRow>;
  readonly links: readonly ModelLink[];
}

/** Returns a row's related rows outside the trash, in order. */
export function linkedTo({ rows, links }: RowModel, side: LinkSide, id: string): string[] {
  const own = side === "from"
    ? links.filter(({ from }) => from === id).toSorted((a, b) => a.ordinal - b.ordinal)
      .map(({ to }) => to)
    : links.filter(({ to }) => to === id).map(({ from }) => from).toSorted();
  return own.filter((other) => rows.get(other)?.node.trashRoot === null);
}

/** Evaluates the query row by row. */
export function placesOf(model: RowModel, query: RowQuery): RowCursor[] {
  const { filter, sorts, fixed = [], after, inTrash, limit } = query;
  const compare = compareRowCursors(sorts);
  return [...model.rows.values()]
    .filter(({ node }) => (node.trashRoot !== null) === inTrash)
    .map((row) => toRow(model, row))
    .filter((row) => filter === undefined || matches(filter, row))
    .map((row) => cursorOf(sorts, row))
    .filter(({ keys }) => fixed.every((key, index) => key === keys[index]))
    .filter((place) => after === undefined || compare(place, after) > 0)
    .toSorted(compare)
    .slice(0, limit);
}

function toRow(model: RowModel, { node, cells }: ModelRow): QueryRow {
  const { id } = node;
  return {
    id,
    items: () => [],
    cells(field: Field): readonly Cell[] {
      if (field.kind === "links") return linkedTo(model, field.side, id).map(keyCell);
      if (field.kind !== "row") {
        return cells.filter(({ propertyId }) => propertyId === field.propertyId)
          .toSorted((a, b) => a.ordinal - b.ordinal);
      }
      const value = node[field.member];
      return [typeof value === "number" ? numberCell(value) : keyCell(value)];
    },
  };
}
