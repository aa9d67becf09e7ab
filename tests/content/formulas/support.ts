/**
 * A row of a database with a property of every type, and functions that evaluate formulas for it.
 *
 * @module
 */
import fc from "fast-check";
import type { FormulaBindings, FormulaEnv } from "../../../src/content/formulas/environment.ts";
import { type CompiledFormula, compileFormula } from "../../../src/content/formulas/formula.ts";
import type { FormulaIssue } from "../../../src/content/formulas/issues.ts";
import {
  BOOLEAN,
  DATE,
  type FormulaType,
  listOf,
  NUMBER,
  PERSON,
  TEXT,
} from "../../../src/content/formulas/types.ts";
import { type FormulaValue, isList, textOf } from "../../../src/content/formulas/values.ts";
import { quoted } from "../../../src/content/formulas/lexer.ts";

export const NOW = Date.UTC(2023, 7, 30, 17, 55, 12, 345);
export const PAGE_ID = "01890000-0000-7000-8000-000000000001";
export const TASKS = "01890000-0000-7000-8000-0000000000aa";

const ada = { kind: "person", id: "u1", name: "Ada", email: "ada@example.com" } as const;
const grace = { kind: "person", id: "u2", name: "Grace", email: null } as const;
const TASK: FormulaType = { kind: "page", databaseId: TASKS };

type Column = readonly [type: FormulaType | undefined, value: FormulaValue];

function day(year: number, month: number, date: number): FormulaValue {
  return { kind: "date", start: Date.UTC(year, month - 1, date), end: null, hasTime: false };
}

/** Properties of the row. Their ids are their names followed by `#`. */
const COLUMNS = new Map<string, Column>([
  ["Price", [NUMBER, 12.5]],
  ["No number", [NUMBER, null]],
  ["Name", [TEXT, "Desk"]],
  ["No text", [TEXT, ""]],
  ["Done", [BOOLEAN, true]],
  ["Due", [DATE, day(2023, 9, 1)]],
  ["No date", [DATE, null]],
  ["Tags", [listOf(TEXT), ["red", "blue"]]],
  ["No tags", [listOf(TEXT), []]],
  ["Author", [PERSON, ada]],
  ["People", [listOf(PERSON), [ada, grace]]],
  ["Tasks", [listOf(TASK), [
    { kind: "page", id: "t1", title: "One" },
    { kind: "page", id: "t2", title: "Two" },
  ]]],
  ["Button", [undefined, null]],
  ['A "quoted" \\ name', [NUMBER, 7]],
  ["title", [TEXT, "a name that is an id"]],
]);

const TASK_COLUMNS = new Map<string, Column>([
  ["Status", [TEXT, null]],
  ["Hours", [NUMBER, null]],
]);

function scopeOf(columns: ReadonlyMap<string, Column>, by: "name" | "id"): FormulaBindings {
  return {
    names: [...columns.keys()],
    property(key) {
      const name = by === "id" ? key.replace(/#$/, "") : key;
      const column = columns.get(name);
      return column && { id: `${name}#`, type: column[0] };
    },
    related: (databaseId) => databaseId === TASKS ? scopeOf(TASK_COLUMNS, by) : undefined,
  };
}

export const scope = scopeOf(COLUMNS, "name");
/** Bindings for stored formulas. */
export const storedScope = scopeOf(COLUMNS, "id");

const RELATED = new Map<string, FormulaValue>([
  ["t1 Status#", "Done"],
  ["t1 Hours#", 3],
  ["t2 Status#", "Open"],
  ["t2 Hours#", 4],
]);

export function envIn(timeZone: string): FormulaEnv {
  return {
    now: NOW,
    timeZone,
    pageId: PAGE_ID,
    property: (id) => COLUMNS.get(id.replace(/#$/, ""))?.[1] ?? null,
    related: (pageId, propertyId) => RELATED.get(`${pageId} ${propertyId}`) ?? null,
  };
}

export const env = envIn("UTC");

/** Compiles a formula; throws its issues. */
export function compiled(expression: string, within: FormulaBindings = scope): CompiledFormula {
  const formula = compileFormula(expression, within);
  if (Array.isArray(formula)) {
    throw new Error(`${expression}: ${formula.map(({ message }) => message).join("; ")}`);
  }
  return formula;
}

/** Evaluates a formula for the row. */
export function valueOf(expression: string, timeZone = "UTC"): FormulaValue {
  return compiled(expression).evaluate(envIn(timeZone));
}

/** The result in the notation of the language, as in the examples of functions. */
export function shown(expression: string, timeZone = "UTC"): string {
  return written(valueOf(expression, timeZone), timeZone);
}

function written(value: FormulaValue, zone: string): string {
  if (value === null) return "empty";
  if (typeof value === "string") return quoted(value);
  if (isList(value)) return `[${value.map((item) => written(item, zone)).join(", ")}]`;
  return textOf(value, { zone, left: 1000 });
}

/** The issues of an expression. */
export function issuesOf(expression: string): readonly FormulaIssue[] {
  const formula = compileFormula(expression, scope);
  return Array.isArray(formula) ? formula : [];
}

/** The messages of its issues, each with its column. */
export function issueTexts(expression: string): string[] {
  return issuesOf(expression).map(({ column, message }) => `${column}: ${message}`);
}

/** Any text, mostly of the letters that formulas consist of, sometimes with lone surrogates. */
export const anyText = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
    { weight: 1, arbitrary: fc.nat(0xffff) },
  ),
).map((units) => String.fromCharCode(...units));
