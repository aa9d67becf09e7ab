/**
 * The items and cells of the values that rollups collect: items to count, cells to filter and sort
 * by.
 *
 * @module
 */
import type { FormulaValue } from "../properties/computed.ts";
import { type CollectedValue, PROPERTY_KINDS, type ReadOf } from "../properties/registry.ts";
import { numberCell } from "../properties/numbers.ts";
import { textCell } from "../properties/texts.ts";
import { type Cell, EMPTY } from "../schema/cells.ts";
import { hasMentions, plainText, type RichText } from "../values/rich_text.ts";
import type { RollupValue } from "./rollups.ts";

type CollectedType = CollectedValue["type"];

/**
 * One item of a value: an option, user, file or row, or the whole value if its type has no items.
 */
export interface RollupItem {
  /** Equal for equal items of a property. */
  readonly key: string;
  /** A value with only this item. */
  readonly value: CollectedValue;
}

/** The items of a value, in order; none if it is empty. */
export function itemsOf(value: CollectedValue): RollupItem[] {
  const { type } = value;
  return PARTS[type](contentOf(value)).map(([key, content]) => ({
    key,
    // Sound because each table entry returns content of its own type.
    value: { type, [type]: content } as unknown as CollectedValue,
  }));
}

/** The cells of a value; `EMPTY` alone if the value is empty. */
export function collectedCells(value: CollectedValue): readonly Cell[] {
  const cells = CELLS[value.type](contentOf(value));
  return cells.length === 0 ? [EMPTY] : cells;
}

/** The cells of a rollup; for a list, the cells of all items. */
export function rollupCells(value: RollupValue): readonly Cell[] {
  if (value.type === "array") return value.array.flatMap(collectedCells);
  if (value.type === "number") return numberCells(value.number);
  return value.type === "date" ? dateCells(value.date) : [];
}

/** The cells of a formula's result; none if it is empty. */
export function formulaCells(value: FormulaValue): readonly Cell[] {
  switch (value.type) {
    case "string":
      return textCells(value.string);
    case "number":
      return numberCells(value.number);
    case "boolean":
      return numberCells(value.boolean === null ? null : Number(value.boolean));
    case "date":
      return dateCells(value.date);
  }
}

type Content<T extends CollectedType> = T extends CollectedType ? ReadOf<T> : never;

// Sound because a value is stored under the name of its type, and the tables below read only that.
function contentOf(value: CollectedValue): never {
  return Reflect.get(value, value.type) as never;
}

type Part<Read> = readonly [key: string, content: Read];
type Key = string | number | boolean | null | undefined;

/** For types whose value is one item; empty if it has no key. */
function whole<Read>(keyOf: (content: Read) => Key) {
  return (content: Read): Part<Read>[] => {
    const key = keyOf(content);
    return key === null || key === undefined || key === "" ? [] : [[String(key), content]];
  };
}

/** For types whose value is a list of items. */
function each<One>(keyOf: (item: One) => string) {
  return (content: readonly One[]): Part<readonly One[]>[] =>
    content.map((item) => [keyOf(item), [item]]);
}

const text = whole((text: string | null) => text);
const richText = whole(textKey);
const user = whole(({ id }: { readonly id: string }) => id);
const option = whole((option: { readonly id: string } | null) => option?.id);
const byId = each(({ id }: { readonly id: string }) => id);

const PARTS: { readonly [T in CollectedType]: (content: Content<T>) => Part<unknown>[] } = {
  title: richText,
  rich_text: richText,
  number: whole((number: number | null) => number),
  select: option,
  multi_select: byId,
  status: option,
  date: whole((date) => date && JSON.stringify(date)),
  people: byId,
  files: each((file) => JSON.stringify(file)),
  checkbox: whole((checked: boolean) => checked),
  url: text,
  email: text,
  phone_number: text,
  relation: byId,
  formula: whole(formulaKey),
  created_time: text,
  created_by: user,
  last_edited_time: text,
  last_edited_by: user,
  unique_id: whole(({ number }) => number),
  verification: whole((content) => content.state === "unverified" ? null : JSON.stringify(content)),
};

function textKey(content: RichText): string {
  // The names of mentions may not be filled in yet.
  return hasMentions(content) ? JSON.stringify(content) : plainText(content);
}

function formulaKey(value: FormulaValue): Key {
  const content: unknown = Reflect.get(value, value.type);
  return content === null || content === "" ? null : JSON.stringify(content);
}

function keyCell(key: string): Cell {
  return { number: null, key, text: null };
}

function keyCells(items: readonly { readonly id: string }[]): Cell[] {
  return items.map(({ id }) => keyCell(id));
}

function optionCells(option: { readonly id: string } | null): Cell[] {
  return option === null ? [] : [keyCell(option.id)];
}

function userCells({ id }: { readonly id: string }): Cell[] {
  return [keyCell(id)];
}

function textCells(text: string | null): Cell[] {
  return text === null || text === "" ? [] : [textCell(text)];
}

function numberCells(number: number | null): Cell[] {
  return number === null ? [] : [numberCell(number)];
}

function timeCells(time: string): Cell[] {
  return [numberCell(Date.parse(time))];
}

const { title, date, verification } = PROPERTY_KINDS;

function richTextCells(content: RichText): Cell[] {
  return content.length === 0 ? [] : title.cells?.(content) ?? [];
}

function dateCells(content: ReadOf<"date">): Cell[] {
  return content === null ? [] : date.cells?.(content) ?? [];
}

const CELLS: { readonly [T in CollectedType]: (content: Content<T>) => readonly Cell[] } = {
  title: richTextCells,
  rich_text: richTextCells,
  number: numberCells,
  select: optionCells,
  multi_select: keyCells,
  status: optionCells,
  date: dateCells,
  people: keyCells,
  files: (content) => content.map(({ name }) => textCell(name)),
  checkbox: (checked) => numberCells(Number(checked)),
  url: textCells,
  email: textCells,
  phone_number: textCells,
  relation: keyCells,
  formula: formulaCells,
  created_time: timeCells,
  created_by: userCells,
  last_edited_time: timeCells,
  last_edited_by: userCells,
  unique_id: ({ number }) => numberCells(number),
  verification: ({ verified_by, date }) =>
    verified_by === null ? [] : verification.cells?.({ verifiedBy: verified_by.id, date }) ?? [],
};
