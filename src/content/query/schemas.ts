/**
 * The schemas of queries, by the name that the document gives them.
 *
 * @module
 */
import type * as v from "valibot";
import {
  COMPOUNDS,
  CONDITIONS,
  filterInput,
  itemCondition,
  propertyConditions,
  sortInput,
  timestampConditions,
} from "./input.ts";

/** Named so that generated clients have a type for each. */
export const querySchemas: Readonly<Record<string, v.GenericSchema>> = {
  Filter: filterInput,
  FilterAnd: COMPOUNDS.and,
  FilterOr: COMPOUNDS.or,
  FilterCreatedTime: timestampConditions.created_time,
  FilterLastEditedTime: timestampConditions.last_edited_time,
  ...named(propertyConditions, (key) => `Filter${key}Property`),
  TextCondition: CONDITIONS.rich_text,
  NumberCondition: CONDITIONS.number,
  CheckboxCondition: CONDITIONS.checkbox,
  OptionCondition: CONDITIONS.select,
  OptionsCondition: CONDITIONS.multi_select,
  DateCondition: CONDITIONS.date,
  ReferenceCondition: CONDITIONS.people,
  FilesCondition: CONDITIONS.files,
  VerificationCondition: CONDITIONS.verification,
  FormulaCondition: CONDITIONS.formula,
  RollupCondition: CONDITIONS.rollup,
  RollupItemCondition: itemCondition,
  Sort: sortInput,
};

function named(
  schemas: Readonly<Record<string, v.GenericSchema>>,
  nameOf: (pascalKey: string) => string,
): Record<string, v.GenericSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([key, schema]) => [nameOf(pascal(key)), schema]),
  );
}

function pascal(key: string): string {
  return key.split("_").map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("");
}
