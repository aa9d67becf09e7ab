/**
 * The schemas of databases, by their names in generated clients.
 *
 * @module
 */
import type * as v from "valibot";
import {
  databaseCreateInput,
  databaseParentInput,
  databaseUpdateInput,
  propertyInput,
  propertyInputMembers,
  propertyRenameInput,
  propertyUpdateInput,
} from "./input.ts";
import { database, databaseProperty, propertyOutputMembers } from "./json.ts";
import {
  dualRelation,
  group,
  groupInput,
  option,
  optionInput,
  relationInputs,
  singleRelation,
} from "./types.ts";

type Named = Readonly<Record<string, v.GenericSchema<unknown, unknown>>>;

/** Every schema of databases that has a name: `Database`, `NumberDatabaseProperty`, … */
export const databaseSchemas: Named = {
  Database: database,
  DatabaseCreateInput: databaseCreateInput,
  DatabaseParentInput: databaseParentInput,
  DatabaseProperty: databaseProperty,
  ...withNames(propertyOutputMembers, "DatabaseProperty"),
  DatabasePropertyInput: propertyInput,
  ...withNames(propertyInputMembers, "DatabasePropertyInput"),
  DatabasePropertyRenameInput: propertyRenameInput,
  DatabasePropertyUpdateInput: propertyUpdateInput.wrapped,
  DatabaseUpdateInput: databaseUpdateInput,
  DualRelation: dualRelation,
  DualRelationInput: relationInputs.dual_property,
  Option: option,
  OptionDefinitionInput: optionInput,
  OptionGroup: group,
  OptionGroupInput: groupInput,
  SingleRelation: singleRelation,
  SingleRelationInput: relationInputs.single_property,
};

function withNames(members: Named, suffix: string): Named {
  return Object.fromEntries(
    Object.entries(members).map(([type, schema]) => [`${pascal(type)}${suffix}`, schema]),
  );
}

function pascal(type: string): string {
  return type.split("_").map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join("");
}
