/**
 * What the document says of each schema: a sentence by name, or one for all names of a kind.
 *
 * @module
 */

const BY_NAME: Readonly<Record<string, string>> = {
  Block: "A block as it is answered; `type` names the member that holds its content.",
  BlockAppendInput: "Blocks to append, and where.",
  BlockInput:
    "A block as a client writes it: exactly one type's key is there; `type` may repeat it.",
  BlockList: "One page of a list of blocks.",
  BlockUpdateInput: "What changes of a block, under the key of its type; what is left out stays.",
  Color: "A colour of text, or of what is behind it.",
  Cover: "The picture above a page or database.",
  CoverInput: "The picture above a page or database, as a client writes it.",
  Database: "A database: its title, its look and the properties that its rows have.",
  DatabaseCreateInput: "A new database.",
  DatabaseParentInput: "What a new database hangs from.",
  DatabaseProperty:
    "A property of a database; `type` names the member that holds its configuration.",
  DatabasePropertyInput: "A new property: the key that is there names its type.",
  DatabasePropertyRenamingInput: "A change that leaves type and configuration of a property alone.",
  DatabasePropertyUpdateInput: "A change of a property, or a new one.",
  DatabaseQueryInput: "Which rows of a database, in which order.",
  DatabaseUpdateInput: "What changes of a database; what is left out stays.",
  DateInput: "A day, a moment or a span, as a client writes it.",
  DateValue: "A day, a moment or a span.",
  FileUpload: "A file that is expected or arrived; content refers to it by its id.",
  FileUploadInput: "A file that a client is about to send.",
  FileValue: "A file with its name.",
  FileValueInput: "A file as a client writes it.",
  Filter: "A condition on a property or on a time, or several under `and` or `or`.",
  FilterAnd: "Holds where all of its conditions hold.",
  FilterOr: "Holds where one of its conditions holds.",
  FoundDatabase: "A database that a search found.",
  FoundList: "One page of what a search found.",
  FoundPage: "A page or row that a search found.",
  FormulaValue: "What a formula came to.",
  Highlight: "A stretch of a text to be marked.",
  Icon: "The icon of a page, a database or a callout.",
  IconInput: "An icon as a client writes it.",
  SemanticSearchInput: "What is searched for by its meaning, and where.",
  SemanticMatch: "Which passage fits, and how well.",
  SemanticSearch: "How a search by meaning was made.",
  SemanticResultList: "One page of what a search by meaning found.",
  SemanticPage: "A page or row that a search by meaning found.",
  Mention: "What a piece of rich text mentions.",
  MentionInput: "A mention as a client writes it.",
  Option: "An option of a select, multi-select or status property.",
  OptionDefinitionInput: "An option of a property as a client writes it.",
  OptionGroup: "A group of a status property's options.",
  OptionGroupInput: "A group of a status property's options as a client writes it.",
  OptionValue: "The option that was chosen.",
  OptionValueInput: "An option by its id or its name; a new name makes a new option.",
  Page: "A page, or a row of a database; its content is read as blocks.",
  PageCreateInput: "A new page, or a new row of a database.",
  PageList: "One page of a list of pages.",
  PageParentInput: "What a new page hangs from.",
  PageUpdateInput: "What changes of a page; what is left out stays.",
  PageMarkdown: "The content of a page as one text, and what that does not show.",
  Parent: "What a page, block or database hangs from.",
  PartialUser: "A user named by id alone.",
  PropertyInput: "The value of a property as a client writes it.",
  PropertyItem: "One item of a property's value; `type` names the member that holds it.",
  PropertyItemList: "One page of the items of a property's value.",
  PropertyValue: "The value of a property; `type` names the member that holds it.",
  RichTextItem: "A piece of text with its look.",
  RichTextItemInput: "A piece of text as a client writes it: one of `text`, `mention`, `equation`.",
  RollupItem: "One of the values that a rollup collected.",
  RollupItemCondition: "A condition on one of the values that a rollup collected.",
  RollupValue: "What a rollup came to.",
  SearchAllConditions: "Several conditions, all of which must hold.",
  SearchAncestorCondition: "What is below this page, database or block, at any depth.",
  SearchFilter: "What is found: a condition, or several under `and`.",
  SearchInput: "What is searched for, where, and in which order.",
  SearchMatch: "Why it was found: an excerpt, and what to mark in it.",
  SearchObjectCondition: "Only pages, or only databases.",
  SearchParentCondition: "What hangs from this page, database or block.",
  SearchSort:
    "An order by time; by default the best come first, or without a query the last edited.",
  Sort: "One step of an order; the first decides before the others.",
  User: "A person or a bot of the workspace.",
};

/** Ends of names, the longer before the shorter, with what they say of the words before them. */
const BY_ENDING: readonly (readonly [ending: string, describe: (words: string) => string])[] = [
  ["DatabasePropertyInput", (words) => `A property of type ${words} as a client writes it.`],
  ["DatabaseProperty", (words) => `A property of type ${words}.`],
  ["PropertyInput", (words) => `A value of type ${words} as a client writes it.`],
  ["PropertyItem", (words) => `An item of a value of type ${words}.`],
  ["PropertyValue", (words) => `A value of type ${words}.`],
  ["RollupItem", (words) => `A collected value of type ${words}.`],
  ["BlockInput", (words) => `A block of type ${words} as a client writes it.`],
  ["Block", (words) => `A block of type ${words}.`],
  ["Condition", (words) => `A condition on a ${words}: exactly one operator.`],
];

const CONDITION = /^Filter(\w+?)(?:Property)?$/;

/** The sentence about a schema; undefined where there is none. */
export function describeSchema(name: string): string | undefined {
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name];
  const filtered = CONDITION.exec(name)?.[1];
  if (filtered !== undefined) return `A condition on a property or time: ${wordsOf(filtered)}.`;
  const found = BY_ENDING.find(([ending]) => name.endsWith(ending) && name !== ending);
  return found?.[1](wordsOf(name.slice(0, -found[0].length)));
}

/** `Heading1` as `heading 1`. */
function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z0-9])/g, " ").toLowerCase();
}
