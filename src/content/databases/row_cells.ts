/**
 * Makes loaded rows readable for filters and sorts.
 *
 * @module
 */
import { cellsOf, userIdsIn } from "../properties/mod.ts";
import type { CollectedValue } from "../properties/registry.ts";
import { formulaCells } from "../properties/types/formula.ts";
import { type Cell, keyCell, numberCell } from "../schema/cells.ts";
import { sortKey } from "../schema/collation.ts";
import type { QueryRow } from "../query/evaluate.ts";
import type { Field } from "../query/filter.ts";
import { collectedCells, rollupCells } from "./rollup_items.ts";
import type { Evaluation, LoadedRow } from "./evaluation.ts";
import { materializedId } from "./materialized_formulas.ts";
import { isComputed } from "./property_compiler.ts";
import type { Property, Schema } from "../schema/property.ts";

/** Creates a function that makes a row's cells readable by field. Values are computed on demand. */
export function createRowReader(
  schema: Schema,
  evaluation: Evaluation,
): (row: LoadedRow) => QueryRow {
  const byId = new Map([
    ...schema.filter(isComputed).map((property) =>
      [materializedId(property.id), property] as const
    ),
    ...schema.map((property) => [property.id, property] as const),
  ]);
  // Kept for one row at a time, because texts and lists can be long.
  let kept: KeptCells | undefined;
  const keptOf = (row: LoadedRow): KeptCells => {
    if (kept?.row !== row) kept = { row, cells: new Map(), items: new Map() };
    return kept;
  };
  return (row) => ({
    id: row.node.id,
    cells(field) {
      const cells = () => cellsIn(row, field, { schema, byId, evaluation });
      return field.kind === "row"
        ? cells()
        : keptOf(row).cells.getOrInsertComputed(keyOf(field), cells);
    },
    *items(propertyId) {
      const cells = keptOf(row).items.getOrInsertComputed(propertyId, () => []);
      const values = listedValues(row, byId.get(propertyId), evaluation);
      for (const [index, value] of values.entries()) yield cells[index] ??= collectedCells(value);
    },
  });
}

/** The cells of a row, as far as they were needed. */
interface KeptCells {
  readonly row: LoadedRow;
  /** By field: people have IDs as stored cells, and names as computed ones. */
  readonly cells: Map<string, readonly Cell[]>;
  /** By ID of the property. */
  readonly items: Map<string, ItemCells>;
}

function keyOf(field: Exclude<Field, { readonly kind: "row" }>): string {
  return field.kind === "links"
    ? `${field.side} ${field.relationId}`
    : `${field.kind} ${field.propertyId}`;
}

/** The cells of the items of a list, as far as they were needed. */
type ItemCells = (readonly Cell[])[];

interface CellContext {
  readonly schema: Schema;
  readonly byId: ReadonlyMap<string, Property>;
  readonly evaluation: Evaluation;
}

function cellsIn(row: LoadedRow, field: Field, context: CellContext): readonly Cell[] {
  switch (field.kind) {
    case "row":
      return [memberCell(row.node[field.member])];
    case "links":
      return linkedIds(row, field, context.schema).map(keyCell);
    case "cells": {
      const property = context.byId.get(field.propertyId);
      if (property === undefined) return [];
      return isComputed(property)
        ? computedCells(row, property, context.evaluation)
        : cellsOf([property], row.values);
    }
    case "computed": {
      const property = context.byId.get(field.propertyId);
      return property === undefined ? [] : computedCells(row, property, context.evaluation);
    }
  }
}

function memberCell(value: number | string): Cell {
  return typeof value === "string" ? keyCell(value) : numberCell(value);
}

type Links = Extract<Field, { readonly kind: "links" }>;

function linkedIds(row: LoadedRow, field: Links, schema: Schema): readonly string[] {
  const relation = schema.find((property) =>
    property.type === "relation" && property.relationId === field.relationId &&
    property.side === field.side
  );
  return relation === undefined ? [] : row.links?.get(relation.id) ?? [];
}

/** The cells of computed properties, and of those that are sorted by names stored elsewhere. */
function computedCells(
  row: LoadedRow,
  property: Property,
  evaluation: Evaluation,
): readonly Cell[] {
  const { contextOf, valueOf, nameOf, titleOf } = evaluation;
  if (property.type === "relation") {
    return nameCells(contextOf(row).links(property).slice(0, 1).map(titleOf));
  }
  const value = valueOf(row, property);
  if (property.type === "rollup" && value.type === "rollup") {
    const cells = inOptionOrder(rollupCells(value.rollup), evaluation.targetOf(row, property));
    // Rows are sorted by the first cell alone, and lists can be long.
    return cells.take(1).toArray();
  }
  if (value.type === "formula") return formulaCells(value.formula);
  return nameCells(userIdsIn(property, row.values, row.node).slice(0, 1).map(nameOf));
}

/** Replaces the ids of options by their index in the schema, because ids have no order. */
function inOptionOrder(
  cells: IteratorObject<Cell>,
  target: Property | undefined,
): IteratorObject<Cell> {
  if (target === undefined || !("options" in target)) return cells;
  const ranks = new Map(target.options.map(({ id }, index) => [id, index]));
  return cells.flatMap(({ key }) => {
    const rank = key === null ? undefined : ranks.get(key);
    return rank === undefined ? [] : [{ number: rank, key: null, text: null }];
  });
}

function nameCells(names: readonly string[]): readonly Cell[] {
  return names.filter((name) => name !== "").map((name) => keyCell(sortKey(name)));
}

function listedValues(
  row: LoadedRow,
  property: Property | undefined,
  { valueOf }: Evaluation,
): readonly CollectedValue[] {
  const value = property && valueOf(row, property);
  return value?.type === "rollup" && value.rollup.type === "array" ? value.rollup.array : [];
}
