/**
 * A large database, and queries that use each plan.
 *
 * @module
 */
import type { Change } from "../../src/content/schema/node.ts";
import type { Field, Filter, RowQuery, Sort, Test } from "../../src/content/query/filter.ts";
import type { Store } from "../../src/store/port.ts";
import { assert, assertEquals } from "../assert.ts";
import { done, W } from "./contract_support.ts";
import {
  cellsOf,
  database,
  keyCell,
  numberCell,
  rowNode,
  rowQuery,
  textCell,
} from "./row_samples.ts";
import { insert, trash } from "./samples.ts";

const STAGES = ["s0", "s1", "s2", "s3", "s4"];
/** Number of rows that `fillRows` creates. */
export const ROWS = 8_000;

function field(propertyId: string): Field {
  return { kind: "cells", propertyId };
}

function by(propertyId: string, members: Partial<Sort> = {}): Sort {
  return { field: field(propertyId), descending: false, single: true, ...members };
}

function where(propertyId: string, test: Test): Filter {
  return { op: "test", field: field(propertyId), test };
}

function between(propertyId: string, from: number, to: number): Filter {
  return where(propertyId, { is: "between", from, to });
}

const LINKS: Field = { kind: "links", relationId: "relation", side: "from" };
const NEWEST: Sort = { field: { kind: "row", member: "createdTime" }, descending: true };
const BY_STAGE = by("stage", { values: STAGES.map(keyCell) });
const STAGE: Filter = where("stage", { is: "key", key: "s3" });
const TITLE: Filter = where("title", { is: "text", how: "starts", text: "row 77", key: "" });

/** Queries that together use each plan. */
export const ROW_QUERIES: Readonly<Record<string, Partial<RowQuery>>> = {
  "newest first": {},
  "by a number": { sorts: [by("amount")] },
  "by a number, descending, from the middle": {
    sorts: [by("amount", { descending: true })],
    after: { keys: [ROWS / 2], id: "row" },
  },
  "by options, then by a number": { sorts: [BY_STAGE, by("amount")] },
  "by options alone, from the middle of one": {
    sorts: [BY_STAGE],
    after: { keys: ["s2"], id: "row 4" },
  },
  "by a number that many rows share, then by time": { sorts: [by("rating"), NEWEST] },
  "by a number that many rows share": {
    sorts: [by("rating", { descending: true })],
    after: { keys: [2], id: "row 4" },
  },
  "one option, by a number": { filter: STAGE, sorts: [by("amount", { descending: true })] },
  "one option, by options": { filter: STAGE, sorts: [BY_STAGE, by("amount")] },
  "a few numbers, newest first": { filter: between("amount", 100, 150) },
  "the lower half, from its upper end": {
    filter: between("amount", 0, ROWS / 2),
    sorts: [by("amount", { descending: true })],
  },
  "one of two ranges": {
    filter: { op: "or", filters: [between("amount", 100, 120), between("amount", 900, 920)] },
    sorts: [by("title")],
  },
  "all of two conditions": { filter: { op: "and", filters: [STAGE, between("amount", 100, 200)] } },
  "the beginning of a text": { filter: { op: "and", filters: [STAGE, TITLE] } },
  "a negation, by a number": { filter: { op: "not", filter: STAGE }, sorts: [by("amount")] },
  "one in twenty, by another number": {
    filter: between("amount", 400, 799),
    sorts: [by("place", { descending: true })],
  },
  "rows without a number, by text": { filter: where("gap", { is: "empty" }), sorts: [by("title")] },
  "by a number that few rows have": { sorts: [by("gap")] },
  "few that have a number": { filter: { op: "not", filter: where("gap", { is: "empty" }) } },
  "few that are outside of a range": {
    filter: { op: "not", filter: where("amount", { is: "between", from: 20 }) },
    sorts: [by("title")],
  },
  "few made by another": {
    filter: {
      op: "not",
      filter: {
        op: "test",
        field: { kind: "row", member: "createdBy" },
        test: { is: "key", key: "ann" },
      },
    },
    sorts: [by("amount")],
  },
  "one value, by ID": { sorts: [by("stage")], fixed: ["s3"] },
  "one value, then by a number": { sorts: [by("stage"), by("amount")], fixed: ["s3"] },
  "first linked with one row, by ID": {
    sorts: [{ field: LINKS, descending: true }],
    fixed: ["row 9"],
  },
  "by who made them": {
    filter: {
      op: "test",
      field: { kind: "row", member: "createdBy" },
      test: { is: "key", key: "zoe" },
    },
  },
  "linked rows": {
    filter: { op: "test", field: LINKS, test: { is: "key", key: "row 9" } },
    sorts: [by("amount")],
  },
  "the trash": { inTrash: true, sorts: [by("amount")] },
};

/** Fills an empty store. */
export async function fillRows(store: Store): Promise<void> {
  await done(store, [...insert(database()), ...Array.from({ length: ROWS }, toRow)]);
  await done(store, [
    ...[1, 2, 3].map((number) => trash(`row ${number}`)),
    { op: "link", relationId: "relation", side: "from", id: "row 7", others: ["row 9"] },
  ]);
}

function toRow(_: unknown, number: number): Change {
  const cells = [
    ...cellsOf("title", textCell(`Row ${number}`)),
    ...cellsOf("amount", numberCell((number * 7919) % ROWS)),
    ...cellsOf("rating", numberCell(number % 3)),
    ...cellsOf("place", numberCell(number >> 1)),
    ...cellsOf("stage", keyCell(`s${number % 5}`)),
    ...cellsOf(
      "gap",
      number % 100 === 0 ? numberCell(number) : { number: null, key: null, text: null },
    ),
  ];
  const createdBy = number % 1_000 === 0 ? "zoe" : "ann";
  return {
    op: "insert",
    node: rowNode(`row ${number}`, { createdTime: number, createdBy }),
    cells,
  };
}

/** Asserts that each query finds rows, the same page by page as in one request. */
export async function assertPaged(store: Store): Promise<void> {
  for (const [name, query] of Object.entries(ROW_QUERIES)) {
    const whole = await store.rows(W, rowQuery({ ...query, limit: 300 }));
    const half = await store.rows(W, rowQuery({ ...query, limit: 150 }));
    const after = half.at(-1)?.cursor;
    assert(after, `${name} finds rows`);
    const rest = await store.rows(W, rowQuery({ ...query, after, limit: 150 }));
    const ids = [...half, ...rest].map(({ cursor: place }) => place.id);
    assertEquals(ids, whole.map(({ cursor: place }) => place.id), name);
  }
}
