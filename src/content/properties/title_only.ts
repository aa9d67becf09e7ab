/**
 * The properties of a page that is no row of a database: its title.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import { pointerTo } from "../../shared/validation_issue.ts";
import {
  type RichText,
  type RichTextInput,
  richTextIssues,
  toRichText,
} from "../values/rich_text.ts";
import { unknownProperty, wrongType } from "./issues.ts";
import { givenOf, isTyped } from "./given.ts";
import type { PropertiesInput, PropertyInput } from "./input.ts";
import type { Properties, PropertyValueOf } from "./read.ts";

const TITLE = { id: "title", name: "title", type: "title", description: null } as const;

/** The properties of a page without a title. */
export const UNTITLED: Properties = { title: titleValue([]) };

/** The properties after an input without faults: each value given replaces the whole value. */
export function editProperties(properties: Properties, input: PropertiesInput): Properties {
  const title = titleInput(input.title);
  return title === undefined ? properties : { title: titleValue(toRichText(title)) };
}

/** Properties that do not exist, values of another type, and faults inside the title. */
export function propertyIssues(input: PropertiesInput, pointer: string): ValidationIssue[] {
  return Object.entries(input).flatMap(([name, value]) => {
    const here = pointerTo(pointer, name);
    return name === "title" ? titleIssues(value, here) : [unknownProperty(name, here)];
  });
}

function titleIssues(value: PropertyInput, pointer: string): ValidationIssue[] {
  const title = titleInput(value);
  if (title === undefined) return [wrongType("title", "title", pointer)];
  return richTextIssues(title, isTyped(value) ? pointerTo(pointer, "title") : pointer);
}

function titleInput(value: PropertyInput | undefined): RichTextInput | undefined {
  // Sound because the schema of titles let it through.
  return value === undefined ? undefined : givenOf(TITLE, value) as RichTextInput | undefined;
}

function titleValue(title: RichText): PropertyValueOf<"title"> {
  return { id: "title", type: "title", title };
}
