/**
 * The number of a row among those of its database, given once: `TASK-7`.
 *
 * @module
 */
import * as v from "valibot";
import { EMPTY, numberCell } from "../../schema/cells.ts";
import { LIMITS } from "../../values/limits.ts";
import { type ConfigKind, propertyKind } from "../property_kind.ts";
import { numberCells, whole } from "../shared/collect.ts";
import { numbers } from "../shared/operators.ts";

const prefix = v.pipe(v.string(), v.minLength(1), v.maxLength(LIMITS.optionName));

interface UniqueIdConfig {
  readonly prefix: string | null;
}

const config: ConfigKind<UniqueIdConfig, Partial<UniqueIdConfig>, UniqueIdConfig> = {
  input: v.strictObject({
    prefix: v.exactOptional(
      v.pipe(v.nullable(prefix), v.description("Prefix of the number. Null if there is none.")),
    ),
  }),
  output: v.object({ prefix: v.nullable(v.string()) }),
  draft: ({ prefix }, { same }) => ({
    prefix: prefix === undefined ? same?.prefix ?? null : prefix,
  }),
  show: ({ prefix }) => ({ prefix }),
};

export const uniqueId = propertyKind({
  config,
  output: v.object({ number: v.nullable(v.number()), prefix: v.nullable(v.string()) }),
  isNumber: true,
  isSelfContained: true,
  toRead: (stored: number | undefined, { prefix }) => ({ number: stored ?? null, prefix }),
  emptyCell: EMPTY,
  cell: numberCell,
  conditions: { operators: numbers, alsoNamed: ["number"] },
  formula: {
    type: "text",
    value: ({ number, prefix }) => number === null ? null : shown(number, prefix),
  },
  collect: {
    parts: whole(({ number }) => number),
    cells: ({ number }) => numberCells(number),
  },
  texts: (stored, { prefix }) => [shown(stored, prefix)],
  textsVersion: ({ prefix }) => prefix,
  toText: (stored, { prefix }) => shown(stored, prefix),
});

function shown(number: number, prefix: string | null): string {
  return prefix === null ? String(number) : `${prefix}-${number}`;
}
