/**
 * Functions of the formula language on people and pages.
 *
 * @module
 */
import { TEXT } from "../types.ts";
import { define, type FormulaFunction } from "./define.ts";
import { optional, page, person } from "./parameters.ts";

export const PAGES: readonly FormulaFunction[] = [
  define({
    name: "name",
    parameters: [person("person")],
    returns: TEXT,
    description: "The name of a person.",
    examples: [['name(prop("Author"))', '"Ada"']],
    call: ([{ name }]) => name,
  }),
  define({
    name: "email",
    parameters: [person("person")],
    returns: TEXT,
    description:
      "The e-mail address of a person. Always empty in results of the API, because not every reader may see it.",
    examples: [['email(prop("Author"))', '"ada@example.com"']],
    call: ([{ email }]) => email,
  }),
  define({
    name: "id",
    parameters: [optional(page("page"))],
    returns: TEXT,
    description: "The id of a page; by default, of the page that the formula is on.",
    examples: [["id()", '"01890000-0000-7000-8000-000000000001"']],
    call: ([one], { env }) => one === undefined ? env.pageId : one.id,
  }),
];
