/**
 * The rows that every operator of filters finds among three rows.
 *
 * @module
 */
import { RELATIVE } from "../../src/content/properties/shared/periods.ts";
import { UNKNOWN } from "./driver.ts";
import type { EveryType } from "./every_type.ts";

/** An operator, its operand, and the rows that it finds, oldest first. */
export type Case = readonly [operator: string, operand: unknown, found: string];

export const EMPTINESS: readonly Case[] = [["is_empty", true, "-"], ["is_not_empty", true, "a b"]];
const ALWAYS: readonly Case[] = [["is_empty", true, ""], ["is_not_empty", true, "a b -"]];

const TEXT: readonly Case[] = [
  ["equals", "ALPHA ONE", "a"],
  ["equals", "Alpha", ""],
  ["does_not_equal", "alpha one", "b -"],
  ["contains", "One", "a b"],
  ["contains", "", "a b"],
  ["does_not_contain", "alpha", "b -"],
  ["starts_with", "BETA", "b"],
  ["starts_with", "one", ""],
  ["ends_with", "one", "a b"],
  ["ends_with", "alpha", ""],
  ...EMPTINESS,
];

const NUMBER: readonly Case[] = [
  ["equals", 1, "a"],
  ["does_not_equal", 1, "b -"],
  ["greater_than", 1, "b"],
  ["less_than", 2, "a"],
  ["greater_than_or_equal_to", 1, "a b"],
  ["less_than_or_equal_to", 1.5, "a"],
  ...EMPTINESS,
];

const CHECKBOX: readonly Case[] = [
  ["equals", true, "a"],
  ["equals", false, "b -"],
  ["does_not_equal", true, "b -"],
  ["does_not_equal", false, "a"],
];

/** Every relative period, applied to values of today. */
function around(found: string): readonly Case[] {
  return Object.keys(RELATIVE).map((name) => [name, {}, found]);
}

const DATE: readonly Case[] = [
  ["equals", "2026-11-19", "a b"],
  ["equals", "2026-11-19T00:00:00Z", "a"],
  ["equals", "2026-11-19T22:30:00+01:00", "b"],
  ["equals", "2026-11-19T21:30:00", "b"],
  ["before", "2026-11-20", "a b"],
  ["before", "2026-11-19", ""],
  ["before", "2026-11-19T21:30:00Z", "a"],
  ["after", "2026-11-18", "a b"],
  ["after", "2026-11-19", ""],
  ["after", "2026-11-19T00:00:00Z", "b"],
  ["on_or_before", "2026-11-19", "a b"],
  ["on_or_before", "2026-11-19T00:00:00Z", "a"],
  ["on_or_after", "2026-11-19", "a b"],
  ["on_or_after", "2026-11-19T21:30:00Z", "b"],
  ...around("a b"),
  ...EMPTINESS,
];

export const CREATED: readonly Case[] = [
  ["equals", "2026-11-18", "b"],
  ["equals", "2026-11-18T12:00:00.000Z", "b"],
  ["before", "2026-11-18", "a"],
  ["after", "2026-11-18T12:00:00Z", "-"],
  ["on_or_before", "2026-11-18T12:00:00Z", "a b"],
  ["on_or_after", "2026-11-18", "b -"],
  ...["this_week", "past_week", "past_month", "past_year"].map((name) =>
    [name, {}, "a b -"] as const
  ),
  ...["next_week", "next_month", "next_year"].map((name) => [name, {}, "-"] as const),
  ...ALWAYS,
];

export const EDITED: readonly Case[] = [
  ["equals", "2026-11-19T11:00:00Z", "b"],
  ["before", "2026-11-19T11:00:00Z", "a"],
  ["after", "2026-11-19T11:00:00Z", "-"],
  ["on_or_before", "2026-11-19", "a b -"],
  ["on_or_after", "2026-11-20", ""],
  ...around("a b -"),
  ...ALWAYS,
];

function choice(name: string): readonly Case[] {
  return [
    ["equals", name, "a"],
    ["equals", "Nope", ""],
    ["does_not_equal", name, "b -"],
    ["does_not_equal", "Nope", "a b -"],
    ...EMPTINESS,
  ];
}

const TAGS: readonly Case[] = [
  ["contains", "A", "a"],
  ["contains", "B", "a b"],
  ["contains", "Nope", ""],
  ["does_not_contain", "A", "b -"],
  ["does_not_contain", "Nope", "a b -"],
  ...EMPTINESS,
];

function references(both: string, second: string): readonly Case[] {
  return [
    ["contains", both, "a b"],
    ["contains", second, "b"],
    ["contains", second.replaceAll("-", "").toUpperCase(), "b"],
    ["contains", UNKNOWN, ""],
    ["does_not_contain", second, "a -"],
    ["does_not_contain", UNKNOWN, "a b -"],
    ...EMPTINESS,
  ];
}

function authors(first: string, none: string): readonly Case[] {
  return [
    ["contains", first, "a"],
    ["contains", none, ""],
    ["does_not_contain", first, "b -"],
    ["does_not_contain", none, "a b -"],
    ...ALWAYS,
  ];
}

export interface Filtered {
  readonly property: string;
  /** The name of the kind of value in filters. */
  readonly key: string;
  readonly cases: readonly Case[];
}

/** Every stored property with every name that a filter can use for it. */
export function stored({ ann, bob, one, two }: EveryType): readonly Filtered[] {
  const tables: readonly (readonly [keys: readonly string[], property: string, readonly Case[]])[] =
    [
      [["title", "rich_text", "text"], "Name", TEXT],
      [["rich_text", "text"], "rich_text", TEXT],
      [["url", "rich_text", "text"], "url", TEXT],
      [["email", "rich_text", "text"], "email", TEXT],
      [["phone_number", "rich_text", "text"], "phone_number", TEXT],
      [["number"], "number", NUMBER],
      [["checkbox"], "checkbox", CHECKBOX],
      [["select"], "select", choice("A")],
      [["status", "select"], "status", choice("In progress")],
      [["multi_select"], "multi_select", TAGS],
      [["date"], "date", DATE],
      [["created_time", "date"], "created_time", CREATED],
      [["last_edited_time", "date"], "last_edited_time", EDITED],
      [["people"], "people", references(ann, bob)],
      [["created_by", "people"], "created_by", authors(ann, UNKNOWN)],
      [["last_edited_by", "people"], "last_edited_by", authors(ann, UNKNOWN)],
      [["relation"], "relation", references(one, two)],
      [["files"], "files", EMPTINESS],
      [["place"], "place", EMPTINESS],
      [["unique_id", "number"], "unique_id", [
        ["equals", 2, "b"],
        ["does_not_equal", 2, "a -"],
        ["greater_than", 1, "b -"],
        ["less_than", 2, "a"],
        ["greater_than_or_equal_to", 2, "b -"],
        ["less_than_or_equal_to", 2, "a b"],
        ...ALWAYS,
      ]],
      [["verification"], "verification", [
        ["status", "verified", "a"],
        ["status", "expired", "b"],
        ["status", "none", "-"],
      ]],
    ];
  return tables.flatMap(([keys, property, cases]) => keys.map((key) => ({ property, key, cases })));
}

/** A filter, and the rows that it finds. */
export interface Question {
  readonly filter: object;
  readonly found: string;
}

/** Each case as a filter. */
export function questions(filtered: readonly Filtered[]): readonly Question[] {
  return filtered.flatMap(({ property, key, cases }) =>
    cases.map(([operator, operand, found]) => ({
      filter: { property, [key]: { [operator]: operand } },
      found,
    }))
  );
}
