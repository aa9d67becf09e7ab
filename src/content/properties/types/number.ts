/**
 * Numbers, with the format in which applications show them.
 *
 * @module
 */
import * as v from "valibot";
import { EMPTY, numberCell } from "../../schema/cells.ts";
import { type ConfigKind, propertyKind } from "../property_kind.ts";
import { numberCells, whole } from "../shared/collect.ts";
import { numbers } from "../shared/operators.ts";

export const NUMBER_FORMATS = [
  "number",
  "number_with_commas",
  "percent",
  "dollar",
  "australian_dollar",
  "canadian_dollar",
  "singapore_dollar",
  "euro",
  "pound",
  "yen",
  "ruble",
  "rupee",
  "won",
  "yuan",
  "real",
  "lira",
  "rupiah",
  "franc",
  "hong_kong_dollar",
  "new_zealand_dollar",
  "krona",
  "norwegian_krone",
  "mexican_peso",
  "rand",
  "new_taiwan_dollar",
  "danish_krone",
  "zloty",
  "baht",
  "forint",
  "koruna",
  "shekel",
  "chilean_peso",
  "philippine_peso",
  "dirham",
  "colombian_peso",
  "riyal",
  "ringgit",
  "leu",
  "argentine_peso",
  "uruguayan_peso",
  "peruvian_sol",
] as const;

type NumberFormat = (typeof NUMBER_FORMATS)[number];

const format = v.pipe(v.picklist(NUMBER_FORMATS), v.description("How the number is displayed."));

interface NumberConfig {
  readonly format: NumberFormat;
}

const config: ConfigKind<NumberConfig, { readonly format?: NumberFormat }, NumberConfig> = {
  input: v.strictObject({ format: v.exactOptional(format) }),
  output: v.object({ format }),
  draft: ({ format }, { same }) => ({ format: format ?? same?.format ?? "number" }),
  show: ({ format }) => ({ format }),
};

const DECIMAL = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export const number = propertyKind({
  config,
  input: v.nullable(v.number()),
  output: v.nullable(v.number()),
  // JSON has one zero only.
  toStored: (given): number | undefined => given === null ? undefined : given + 0,
  isSelfContained: true,
  toRead: (stored) => stored ?? null,
  emptyCell: EMPTY,
  cell: numberCell,
  conditions: { operators: numbers },
  formula: { type: "number", value: (read) => read },
  collect: { parts: whole((read) => read), cells: numberCells },
  texts: (stored) => [String(stored)],
  toText: (stored) => String(stored),
  fromText: (text) => {
    const value = DECIMAL.test(text.trim()) ? Number(text) + 0 : NaN;
    return Number.isFinite(value) ? value : undefined;
  },
  takesOver: ["checkbox", "unique_id"],
  takeOver: ({ stored }) => Number(stored),
  fromYaml: (value) => typeof value === "number" && Number.isFinite(value) ? value : undefined,
});
