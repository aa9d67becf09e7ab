/**
 * What a change of the schema does to the rows of a database.
 *
 * @module
 */
import type { DatabaseChange, Node } from "../schema/node.ts";
import { emptyCell, hasCells } from "../properties/cells.ts";
import { createReshape, type RowContent } from "../pages/rows.ts";
import { kindOf } from "../properties/registry.ts";
import { optionsOf } from "../properties/options_of.ts";
import type { Property, Schema } from "../schema/property.ts";

export interface SchemaChange {
  readonly before: Schema;
  readonly after: Schema;
  /** The last number given to a row. */
  readonly lastNumber: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** A property before and after. */
interface Pair {
  readonly from: Property;
  readonly to: Property;
}

/** The changes of rows that follow from a change of their schema, in the order they must be made. */
export function rowChanges(databaseId: string, change: SchemaChange): DatabaseChange[] {
  const { before, after, lastNumber, time } = change;
  const pairs = pairsOf(change);
  const stayed = new Set(pairs.flatMap(({ from, to }) => [from, to]));
  const removed = before.filter((property) => !stayed.has(property));
  const retyped = pairs.filter(({ from, to }) => from.type !== to.type);
  const begun = [
    ...after.filter((property) => !stayed.has(property)),
    ...retyped.map(({ to }) => to),
  ];
  const isNumbered = begun.some((property) => kindOf(property).isNumber);
  const reshape = { op: "reshape", databaseId, time, before, after, isNumbered } as const;
  const clears = removed.filter(({ type }) => hasCells(type))
    .map(({ id }) => ({ op: "clear", databaseId, propertyId: id } as const));
  if (isNumbered) {
    return [...clears, reshape, { op: "count", databaseId, from: lastNumber, to: "rows" }];
  }
  // Values are kept in rows just where their type has cells.
  if (retyped.some(({ from }) => hasCells(from.type))) return [...clears, reshape];
  const lost = pairs.flatMap(lostOptions).map((having) => ({ ...reshape, having }));
  return [...clears, ...fills(databaseId, begun), ...lost];
}

type Reshape = Extract<DatabaseChange, { readonly op: "reshape" }>;

/**
 * The content that a change of the schema gives a row, of which so many came before it; undefined where
 * it stays as it is.
 */
export type Rewrite = (row: Node, index: number) => RowContent | undefined;

/** What a change of the schema does to each row. */
export function rewriteOf({ before, after, isNumbered }: Omit<Reshape, "op">): Rewrite {
  const reshape = createReshape(before, after);
  return (row, index) => reshape(row, isNumbered ? index + 1 : undefined);
}

function pairsOf({ before, after }: SchemaChange): Pair[] {
  const now = new Map(after.map((property) => [property.id, property]));
  return before.flatMap((from) => {
    const to = now.get(from.id);
    return to === undefined ? [] : [{ from, to }];
  });
}

function fills(databaseId: string, properties: readonly Property[]): DatabaseChange[] {
  return properties.flatMap(({ id, type }) => {
    const cell = emptyCell(type);
    return cell === undefined ? [] : [{ op: "fill", databaseId, propertyId: id, cell }];
  });
}

/** The cells of options that are no more. */
function lostOptions({ from, to }: Pair): { readonly propertyId: string; readonly key: string }[] {
  const left = new Set(optionsOf(to).map(({ id }) => id));
  return optionsOf(from).filter(({ id }) => !left.has(id))
    .map(({ id }) => ({ propertyId: from.id, key: id }));
}
