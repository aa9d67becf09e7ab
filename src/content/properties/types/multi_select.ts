/**
 * Any number of options; a row may name new ones.
 *
 * @module
 */
import * as v from "valibot";
import { EMPTY, keyCell } from "../../schema/cells.ts";
import { LIMITS } from "../../values/limits.ts";
import { propertyKind } from "../property_kind.ts";
import { identifiedList } from "../shared/collect.ts";
import { yamlOption } from "../shared/front_matter.ts";
import { tags } from "../shared/operators.ts";
import { optionsConfig } from "../shared/option_lists.ts";
import {
  idOf,
  nameOf,
  namesIn,
  newOptionIssues,
  optionById,
  optionInput,
  optionNamed,
  optionOrder,
  optionValue,
} from "../shared/options.ts";
import { unique } from "../shared/unique.ts";

export const multiSelect = propertyKind({
  config: optionsConfig,
  input: v.pipe(v.array(optionInput), v.maxLength(LIMITS.multiSelect)),
  output: v.array(optionValue),
  toStored: (given, property) => unique(given.map((option) => idOf(option, property))),
  issues: (given, property, { pointer }) =>
    given.flatMap((option, index) =>
      newOptionIssues(option, { property, pointer: `${pointer}/${index}` })
    ),
  namedOptions: (given) => given,
  isSelfContained: true,
  toRead: (stored: readonly string[] | undefined, property) =>
    (stored ?? []).map((id) => optionById(id, property)).filter((value) => value !== undefined),
  emptyCell: EMPTY,
  cells: (stored) => stored.map(keyCell),
  order: optionOrder,
  conditions: { operators: tags },
  formula: { type: "texts", value: (read) => read.map(({ name }) => name) },
  collect: identifiedList,
  texts: (stored, property) => stored.map((id) => nameOf(id, property)),
  toText: (stored, property) => stored.map((id) => nameOf(id, property)).join(", "),
  fromText: (text, property) => {
    const ids = namesIn(text).map((name) => optionNamed(name, property));
    return unique(ids.filter((id) => id !== undefined));
  },
  retained: (stored, property) => {
    const left = stored.filter((id) => optionById(id, property) !== undefined);
    // The very same value tells that the row need not be rewritten.
    return left.length === stored.length ? stored : unique(left);
  },
  fromYaml: (value) => {
    const named = (Array.isArray(value) ? value : [value]).map(yamlOption);
    return named.every((option) => option !== undefined) ? named : undefined;
  },
});
