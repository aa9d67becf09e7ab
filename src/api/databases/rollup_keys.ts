/**
 * Sort keys of rollups: a rollup depends on nothing of its row but the rows that it is related to.
 *
 * @module
 */
import { createRowReader } from "../../content/databases/row_cells.ts";
import { createReplyBudget, isExhausted } from "../../content/formulas/compute_budget.ts";
import type { Field, LinksField, Sort, SortKey } from "../../content/query/filter.ts";
import { cursorOf } from "../../content/query/order.ts";
import type { PropertyOf } from "../../content/schema/property.ts";
import type { Rest } from "../../shared/yield_to_event_loop.ts";
import type { Database } from "../shared/database_cache.ts";
import type { Services } from "../shared/services.ts";
import { evaluateRows } from "./evaluate_rows.ts";
import { loadEvaluationInput } from "./evaluation_input.ts";

export interface RollupKeys {
  /**
   * The relation whose rows a rollup collects values of, with those in the trash; undefined for other
   * fields.
   */
  relationOf(field: Field): LinksField | undefined;
  /**
   * Returns the sort keys of rows that are related to these rows, in the same order; undefined if that
   * takes too much work.
   */
  keysOf(
    sort: Sort,
    related: readonly (readonly string[])[],
  ): Promise<readonly SortKey[] | undefined>;
}

interface KeysContext {
  readonly database: Database;
  readonly now: number;
  readonly rest: Rest;
}

const EMPTY_ROW = JSON.stringify({ cover: null, icon: null, values: {} });

/** Returns the functions for rollups of a database. */
export function createRollupKeys(
  { store }: Pick<Services, "store">,
  workspace: string,
  { database, now, rest }: KeysContext,
): RollupKeys {
  const { node, doc: { properties }, compile } = database;
  const relationIn = (field: Field): PropertyOf<"relation"> | undefined => {
    const property = field.kind === "computed"
      ? properties.find(({ id }) => id === field.propertyId)
      : undefined;
    return property?.type === "rollup" ? compile(node.id, property).rollup?.relation : undefined;
  };
  return {
    relationOf(field) {
      const relation = relationIn(field);
      return relation &&
        { kind: "links", relationId: relation.relationId, side: relation.side, withTrash: true };
    },
    async keysOf(sort, related) {
      const relation = relationIn(sort.field);
      if (relation === undefined || sort.field.kind !== "computed") return undefined;
      // No row has such an ID.
      const links = new Map(related.map((ids, index) => [`=${index}`, ids]));
      const work = createReplyBudget();
      const input = await loadEvaluationInput(store, workspace, {
        database,
        nodes: [...links.keys()].map((id) => ({ ...node, id, doc: EMPTY_ROW })),
        wanted: new Set([sort.field.propertyId]),
        linksOf: (id) => new Map([[relation.id, links.get(id) ?? []]]),
        byName: true,
        work,
        now,
        rest,
      });
      const read = createRowReader(properties, await evaluateRows(input, rest));
      const keys = input.requested.map((row) => cursorOf([sort], read(row)).keys[0] ?? null);
      return isExhausted(work) ? undefined : keys;
    },
  };
}
