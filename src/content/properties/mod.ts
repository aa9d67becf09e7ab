/**
 * Properties of pages: how their values are written, stored, found and read.
 *
 * @module
 */
export {
  answerProperties,
  answerValue,
  isSelfContained,
  type PropertiesWriter,
  propertiesWriter,
  userIdsIn,
} from "./answer.ts";
export { cellsOf, emptyCell, hasCells } from "./cells.ts";
export { type FormulaValue } from "./types/formula.ts";
export { convertValue, TAKEN_OVER } from "./convert.ts";
export { docTitle } from "./doc_title.ts";
export { valueIssues, type ValueIssuesOptions } from "./issues.ts";
export {
  type Finder,
  findProperty,
  findValue,
  findValues,
  onlyNamed,
  propertyFinder,
} from "./find.ts";
export {
  addOptions,
  type GivenLinks,
  isTyped,
  linksIn,
  missingOptions,
  type NewOption,
} from "./given.ts";
export { type PropertiesInput, propertiesInput, type PropertyInput } from "./input.ts";
export { type RowContext, type RowHistory, storedIn, type Values } from "./property_kind.ts";
export { type CollectedValue, kindOf } from "./registry.ts";
export { type Properties, properties, type PropertyValue, titleOf } from "./read.ts";
export { relationsIn } from "./relations_in.ts";
export { textsOf } from "./texts_of.ts";
export { editProperties, propertyIssues, UNTITLED } from "./title_only.ts";
export { editValues, newValues, pick } from "./values.ts";
