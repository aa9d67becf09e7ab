/**
 * Properties of pages: how their values are written, kept, found and answered.
 *
 * @module
 */
export {
  answerProperties,
  answerValue,
  type PropertiesWriter,
  propertiesWriter,
} from "./properties/answer.ts";
export { cellsOf, emptyCell, hasCells } from "./properties/cells.ts";
export { type FormulaValue } from "./properties/computed.ts";
export { convertValue, TAKEN_OVER } from "./properties/convert.ts";
export { docTitle } from "./properties/doc_title.ts";
export { valueFaults, type ValueFaultsOptions } from "./properties/faults.ts";
export {
  type Finder,
  findProperty,
  findValue,
  findValues,
  onlyNamed,
  propertyFinder,
} from "./properties/find.ts";
export { type GivenLinks, linksIn, missingOptions, type NewOption } from "./properties/given.ts";
export { type PropertiesInput, propertiesInput, type PropertyInput } from "./properties/input.ts";
export { keptOf, type RowContext, type Values } from "./properties/kind.ts";
export { type CollectedValue, kindOf } from "./properties/kinds.ts";
export { type Properties, properties, type PropertyValue, titleOf } from "./properties/read.ts";
export { editProperties, propertyFaults, UNTITLED } from "./properties/title_only.ts";
export { editValues, newValues, pick } from "./properties/values.ts";
