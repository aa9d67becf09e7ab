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
  /** True if a late page is queried, too. */
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

/** A query that no index serves as it is. */
export interface HardQuestion {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const by = (property: string) => ({ sorts: [{ property, direction: "ascending" }] });

export const HARD_QUESTIONS: readonly HardQuestion[] = [
  ...Object.entries({
    "`contains`, many matches": { property: "Notes", rich_text: { contains: "budget" } },
    "`contains`, no match": { property: "Notes", rich_text: { contains: "zzz" } },
    "`ends_with`, no match": { property: "Name", title: { ends_with: "zzz" } },
    "`does_not_equal`, many matches": { property: "Stage", select: { does_not_equal: stage.name } },
    "`does_not_equal`, no match": { property: "Same", checkbox: { does_not_equal: false } },
    "`is_empty`, a tenth": { property: "Due", date: { is_empty: true } },
    "`is_empty`, no match": { property: "Stage", select: { is_empty: true } },
    "`is_not_empty`, no match": { property: "Added", number: { is_not_empty: true } },
  }).map(([name, filter]) => ({ name, body: { filter } })),
  { name: "sort by a person's name", body: by("Owner") },
  {
    name: "sort by a person's name, then a date",
    body: { sorts: [...by("Owner").sorts, ...by("Due").sorts] },
  },
  { name: "sort by who created a row", body: by("Creator") },
  { name: "sort by a relation", body: by("Project") },
  { name: "sort by a formula", body: by("Net") },
  { name: "sort by a rollup", body: by("Named") },
  {
    name: "sort by a rollup of one value, descending",
    body: { sorts: [{ property: "Named", direction: "descending" }] },
  },
  { name: "sort by a rollup of many values", body: by("Titles") },
  {
    name: "sort by a rollup of many values, then a date",
    body: { sorts: [...by("Titles").sorts, ...by("Due").sorts] },
  },
  { name: "sort by a rollup, all rows related", body: by("Teams") },
  {
    name: "sort by a rollup, all rows related, then a date",
    body: { sorts: [...by("Teams").sorts, ...by("Due").sorts] },
  },
  { name: "sort by a rollup from the other side", body: by("Plans") },
  { name: "sort by a rollup of many values from the other side", body: by("Planned") },
];

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
