/**
 * The benchmark's queries, each for the store and for the API.
 *
 * @module
 */
import {
  type Filter,
  NEWEST_FIRST,
  type RowQuery,
  type Test,
} from "../../../src/content/query/filter.ts";
import { DATABASE, OWNERS, STAGES } from "./data.ts";

export interface Question {
  readonly name: string;
  readonly query: Pick<RowQuery, "filter" | "sorts">;
  readonly body: Readonly<Record<string, unknown>>;
  /** Milliseconds. */
  readonly aim: number;
  /** Whether a late page is queried, too. */
  readonly isPaged: boolean;
}

function where(propertyId: string, test: Test): Filter {
  return { op: "test", field: { kind: "cells", propertyId }, test };
}

const [stage] = STAGES;
if (stage === undefined) throw new Error("There is no stage");

export const QUESTIONS: readonly Question[] = [
  {
    name: "equality on a select, sorted by a date",
    query: {
      filter: where("stage", { is: "key", key: stage.id }),
      sorts: [{ field: { kind: "cells", propertyId: "due" }, descending: true, single: true }],
    },
    body: {
      filter: { property: "Stage", select: { equals: stage.name } },
      sorts: [{ property: "Due", direction: "descending" }],
    },
    aim: 10,
    isPaged: true,
  },
  {
    name: "range of a number, or of another",
    query: {
      filter: {
        op: "or",
        filters: [
          {
            op: "and",
            filters: [
              where("amount", { is: "between", from: 5_000 }),
              where("amount", { is: "between", to: 6_000 }),
            ],
          },
          where("score", { is: "between", from: 99 }),
        ],
      },
      sorts: NEWEST_FIRST,
    },
    body: {
      filter: {
        or: [
          {
            and: [
              { property: "Amount", number: { greater_than_or_equal_to: 5_000 } },
              { property: "Amount", number: { less_than_or_equal_to: 6_000 } },
            ],
          },
          { property: "Score", number: { greater_than_or_equal_to: 99 } },
        ],
      },
    },
    aim: 30,
    isPaged: false,
  },
];

const [owner] = OWNERS;

/** A row with a value for every writable property. */
export const INSERT = {
  parent: { database_id: DATABASE },
  properties: {
    Name: { title: [{ text: { content: "A row that came later" } }] },
    Notes: {
      rich_text: [{ text: { content: "Some words about it that are neither few nor many" } }],
    },
    Stage: { select: { name: stage.name } },
    Region: { select: { name: "b2 7" } },
    Tags: { multi_select: [{ name: "c3 1" }, { name: "c3 2" }] },
    Due: { date: { start: "2024-05-01" } },
    Start: { date: { start: "2024-04-01" } },
    Amount: { number: 1_234.5 },
    Score: { number: 77 },
    Done: { checkbox: true },
    Owner: { people: [{ id: owner?.id }] },
  },
};
