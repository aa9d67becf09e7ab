/**
 * Infers the type of a column from all of its cells: a type needs every value.
 *
 * @module
 */
import {
  type Cell,
  type Column,
  type ColumnReading,
  type ColumnType,
  piecesOf,
  readCheckbox,
  textOf,
} from "./column.ts";
import { DATE_ORDERS, type DateOrder, readDate } from "./dates.ts";
import { fitsStyle, numberParts, type NumberStyle } from "./numbers.ts";

/** The user's options for types. */
export interface InferOptions {
  /** Types by name of the column. */
  readonly types?: ReadonlyMap<string, ColumnType>;
  /** The order of dates like 03/04/2026. */
  readonly dates?: "dmy" | "mdy";
  /** The style of decimals in numbers like 1,234. */
  readonly decimals?: NumberStyle;
}

/** Gathers the cells of one column. Its memory does not grow with their number. */
export interface ColumnProfile {
  add(cell: Cell): void;
  finish(options?: InferOptions): Column;
}

const MAX_OPTIONS = 30;
const MAX_PIECES = 60;
const OPTION_LENGTH = 40;
const SMALL_TABLE = 20;

const URL_PATTERN = /^https?:\/\/[^\s]{1,1990}$/;
const EMAIL = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/;
const PHONE = /^\+\d[\d ().\/-]{6,30}$/;

/** Creates the profile of a column. */
export function profileColumn(name: string): ColumnProfile {
  let count = 0;
  let example = "";
  let lists = 0;
  const tests = new Map(SIMPLE);
  let orders = [...DATE_ORDERS];
  let styles: NumberStyle[] = ["point", "comma"];
  const units = new Set<string>();
  let isGrouped = false;
  const options = createTally(MAX_OPTIONS, OPTION_LENGTH);
  const pieces = createTally(MAX_PIECES, OPTION_LENGTH);
  const addNumber = (text: string) => {
    const parts = numberParts(text);
    if (parts === undefined) return void (styles = []);
    units.add(parts.unit);
    styles = styles.filter((style) => fitsStyle(parts.digits, style));
    isGrouped ||= /\d[., '\u00a0\u202f]\d{3}(?!\d)/.test(parts.digits);
  };
  return {
    add: (cell) => {
      const text = textOf(cell);
      if (text === "") return;
      count++;
      if (example === "") example = text.slice(0, 60);
      if (typeof cell !== "string") lists++;
      for (const [type, test] of tests) if (!test(text)) tests.delete(type);
      if (orders.length > 0) orders = orders.filter((order) => readDate(text, { order }));
      if (styles.length > 0) addNumber(text);
      options.add(text);
      piecesOf(cell).forEach(pieces.add);
    },
    finish: (inferOptions = {}) => {
      const facts = { count, lists, tests, orders, styles, units, isGrouped, options, pieces };
      const forced = inferOptions.types?.get(name);
      const reading = forced === undefined
        ? infer(facts, inferOptions)
        : forcedReading(forced, facts, inferOptions);
      return { ...reading, name, count, example };
    },
  };
}

type SimpleType = "checkbox" | "url" | "email" | "phone_number";

const SIMPLE: readonly (readonly [SimpleType, (text: string) => boolean])[] = [
  ["checkbox", (text) => readCheckbox(text) !== undefined],
  ["url", (text) => URL_PATTERN.test(text)],
  ["email", (text) => text.length <= 200 && EMAIL.test(text)],
  ["phone_number", (text) => PHONE.test(text)],
];

interface Facts {
  readonly count: number;
  readonly lists: number;
  readonly tests: ReadonlyMap<SimpleType, unknown>;
  readonly orders: readonly DateOrder[];
  readonly styles: readonly NumberStyle[];
  readonly units: ReadonlySet<string>;
  readonly isGrouped: boolean;
  readonly options: Tally;
  readonly pieces: Tally;
}

type Inferred = ColumnReading & { readonly note?: string | undefined };

function infer(facts: Facts, options: InferOptions): Inferred {
  if (facts.count === 0) return { type: "rich_text" };
  if (facts.lists > 0) {
    return facts.pieces.isOver() ? { type: "rich_text" } : { type: "multi_select" };
  }
  if (facts.tests.has("checkbox")) return { type: "checkbox" };
  return inferNumber(facts, options) ?? inferDate(facts, options) ?? inferSimple(facts) ??
    inferOptions(facts) ?? { type: "rich_text", note: noteOf(facts, options) };
}

function inferNumber(facts: Facts, { decimals }: InferOptions): ColumnReading | undefined {
  const { styles, units, isGrouped } = facts;
  const style = styles.length === 1 || !isGrouped
    ? styles[0]
    : styles.find((one) => one === decimals);
  const [unit = "", ...more] = units;
  if (style === undefined || more.length > 0) return undefined;
  const format = unit || (isGrouped ? "number_with_commas" : "number");
  return { type: "number", reading: { style, format } };
}

function inferDate({ orders }: Facts, { dates }: InferOptions): ColumnReading | undefined {
  const [order] = orders.length === 2 && isAmbiguous(orders)
    ? orders.filter((one) => one === dates)
    : orders;
  return order && { type: "date", reading: { order } };
}

function isAmbiguous(orders: readonly DateOrder[]): boolean {
  return orders.includes("dmy") && orders.includes("mdy");
}

function inferSimple({ tests }: Facts): ColumnReading | undefined {
  const found = (["url", "email", "phone_number"] as const).find((one) => tests.has(one));
  return found && { type: found };
}

function inferOptions({ count, options, pieces }: Facts): ColumnReading | undefined {
  const most = count <= SMALL_TABLE ? count / 2 : count / 5;
  const hasCommas = options.hasCommas();
  if (!options.isOver() && !hasCommas && options.names() <= most) return { type: "select" };
  const repeats = pieces.total() >= 1.3 * pieces.names();
  return hasCommas && !pieces.isOver() && repeats ? { type: "multi_select" } : undefined;
}

function noteOf({ orders, styles, units }: Facts, options: InferOptions): string | undefined {
  if (isAmbiguous(orders) && options.dates === undefined) {
    return "dates whose day and month cannot be told apart: use --dates dmy or --dates mdy";
  }
  if (styles.length === 2 && units.size === 1 && options.decimals === undefined) {
    return "numbers like 1,234 can be read in two ways: use --decimals point or --decimals comma";
  }
  return undefined;
}

function forcedReading(type: ColumnType, facts: Facts, options: InferOptions): Inferred {
  if (type === "number") {
    return inferNumber(facts, { ...options, decimals: options.decimals ?? "point" }) ??
      { type, reading: { style: options.decimals ?? "point", format: "number" } };
  }
  if (type === "date") {
    const dates = options.dates ?? "dmy";
    return inferDate(facts, { ...options, dates }) ?? { type, reading: { order: dates } };
  }
  // Relations and files come from exports alone.
  return type === "relation" || type === "files" ? { type: "rich_text" } : { type };
}

/** Counts different texts, as long as they are few and short. */
interface Tally {
  readonly add: (text: string) => void;
  readonly names: () => number;
  readonly total: () => number;
  readonly isOver: () => boolean;
  readonly hasCommas: () => boolean;
}

function createTally(most: number, length: number): Tally {
  const seen = new Set<string>();
  let total = 0;
  let isOver = false;
  let hasCommas = false;
  return {
    add: (text) => {
      total++;
      if (isOver) return;
      hasCommas ||= text.includes(",");
      seen.add(text);
      isOver = seen.size > most || text.length > length && !text.includes(",");
    },
    names: () => seen.size,
    total: () => total,
    isOver: () => isOver,
    hasCommas: () => hasCommas,
  };
}
