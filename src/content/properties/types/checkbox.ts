/**
 * Checked or not; unchecked is the empty value.
 *
 * @module
 */
import * as v from "valibot";
import { numberCell } from "../../schema/cells.ts";
import { propertyKind } from "../property_kind.ts";
import { numberCells, whole } from "../shared/collect.ts";
import { NO_CONFIG } from "../shared/no_config.ts";
import { checkboxes } from "../shared/operators.ts";

const CHECKED = new Set(["true", "yes", "1"]);

export const checkbox = propertyKind({
  config: NO_CONFIG,
  input: v.boolean(),
  output: v.boolean(),
  toStored: (given): true | undefined => given || undefined,
  isSelfContained: true,
  toRead: (stored): boolean => stored === true,
  emptyCell: numberCell(0),
  cell: () => numberCell(1),
  order: () => [{ number: 0, key: null }, { number: 1, key: null }],
  conditions: { operators: checkboxes },
  formula: { type: "boolean", value: (read) => read },
  collect: {
    parts: whole((read) => read),
    cells: (read) => numberCells(Number(read)),
  },
  toText: (stored) => String(stored),
  fromText: (text) => CHECKED.has(text.trim().toLowerCase()) || undefined,
  takesOver: ["number"],
  takeOver: ({ stored }) => stored !== 0 || undefined,
  fromYaml: (value) => typeof value === "boolean" ? value : undefined,
});
