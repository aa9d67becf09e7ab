/**
 * One of several options; a row may name a new one.
 *
 * @module
 */
import { newOptionIssues, oneOptionKind, type OptionInput } from "../shared/options.ts";
import { optionsConfig } from "../shared/option_lists.ts";
import type { PropertyWith, ValidationContext } from "../property_kind.ts";

export const select = {
  ...oneOptionKind(optionsConfig),
  issues: (
    given: OptionInput | null,
    property: PropertyWith<typeof optionsConfig>,
    { pointer }: ValidationContext,
  ) => given === null ? [] : newOptionIssues(given, { property, pointer }),
  namedOptions: (given: OptionInput | null) => given === null ? [] : [given],
};
