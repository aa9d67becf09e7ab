/**
 * The changes of a database's rows that follow from a change of its schema.
 *
 * @module
 */
import type { DatabaseChange, Node } from "../schema/node.ts";
import { emptyCell, hasCells } from "../properties/cells.ts";
import { createReshape, type ReshapedRow } from "../pages/rows.ts";
import { kindOf } from "../properties/registry.ts";
import { optionsOf } from "../properties/options_of.ts";
import { relationsIn } from "../properties/relations_in.ts";
import { hasTexts } from "../properties/texts_of.ts";
import type { Property, Schema } from "../schema/property.ts";

export interface SchemaChange {
  readonly before: Schema;
  readonly after: Schema;
  /** The last number assigned to a row. */
  readonly lastNumber: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** A property before and after the change. */
interface Pair {
  readonly from: Property;
  readonly to: Property;
}

/** The changes of rows that follow from a change of their schema, in the order of application. */
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
  // Rows store values exactly for the types that have cells.
  const isReshaped = isNumbered || retyped.some(({ from }) => hasCells(from.type));
  const clears = removed.filter(({ type }) => hasCells(type)).map(({ id, type }) => {
    const clear = { op: "deleteCells", databaseId, propertyId: id } as const;
    return isReshaped || !hasTexts(type) ? { ...clear, keepsWords: true } as const : clear;
  });
  if (isNumbered) {
    return [...clears, reshape, { op: "countAllRows", databaseId, from: lastNumber }];
  }
  if (isReshaped) return [...clears, reshape];
  const lost = pairs.flatMap(lostOptions).map((having) => ({ ...reshape, having }));
  return [...clears, ...fills(databaseId, begun), ...lost];
}

/** The changes that count the links of rows for relations that are new to their database. */
export function newLinkCounts(
  databaseId: string,
  { before, after }: Pick<SchemaChange, "before" | "after">,
): DatabaseChange[] {
  const had = relationsIn(before);
  return relationsIn(after).flatMap(({ relationId, side }) =>
    had.some((one) => one.relationId === relationId && one.side === side)
      ? []
      : [{ op: "countAllLinks", relationId, side, databaseId }]
  );
}

type Reshape = Extract<DatabaseChange, { readonly op: "reshape" }>;

/** Returns what becomes of a row by a change of the schema. `index` counts the rows before it. */
export type Rewrite = (row: Node, index: number) => ReshapedRow;

/** The function that applies a change of the schema to each row. */
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
    return cell === undefined ? [] : [{ op: "writeCells", databaseId, propertyId: id, cell }];
  });
}

/** The cells of deleted options. */
function lostOptions({ from, to }: Pair): { readonly propertyId: string; readonly key: string }[] {
  const left = new Set(optionsOf(to).map(({ id }) => id));
  return optionsOf(from).filter(({ id }) => !left.has(id))
    .map(({ id }) => ({ propertyId: from.id, key: id }));
}
