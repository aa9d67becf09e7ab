/**
 * The schemas of databases by the names that generated clients know them by.
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
import { option, optionInput } from "../properties/shared/option_lists.ts";
import { dualRelation, relationInputs, singleRelation } from "../properties/types/relation.ts";
import { group, groupInput } from "../properties/types/status.ts";

type Named = Readonly<Record<string, v.GenericSchema<unknown, unknown>>>;

/** Every schema of databases that deserves a name: `Database`, `NumberDatabaseProperty`, … */
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
