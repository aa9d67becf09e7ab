/**
 * Property values of pages. A page that is no row of a database has one property, its title.
 *
 * @module
 */
import * as v from "valibot";
import type { Fault } from "../errors.ts";
import { pointerTo } from "../faults.ts";
import {
  type RichText,
  richText,
  richTextFaults,
  type RichTextInput,
  richTextInput,
  toRichText,
} from "./rich_text.ts";
import { byKey } from "./union.ts";

/** A value of a type that no page has: `propertyFaults` refuses it by the name of its property. */
const otherInput: v.GenericSchema<unknown, { readonly title?: never }> = v.object({});

/** Values as clients write them: one member a type of property. */
const typedInput = byKey({
  title: v.strictObject({
    id: v.exactOptional(v.string()),
    type: v.exactOptional(v.literal("title")),
    title: richTextInput,
  }),
}, otherInput);

const anyInput = v.union([typedInput, richTextInput]);
type PropertyInput = v.InferOutput<typeof anyInput>;

/** The value of a property as a client writes it; for the title its rich text alone will do. */
export const propertyInput = v.lazy((input): v.GenericSchema<unknown, PropertyInput> => {
  if (input === undefined) return anyInput;
  return Array.isArray(input) ? richTextInput : typedInput;
});

/** Values as a client writes them, by name or id of their property. */
export const propertiesInput = v.record(v.string(), propertyInput);
export type PropertiesInput = v.InferOutput<typeof propertiesInput>;

/** Values as they are answered: one member a type of property. */
export const propertyValue = v.variant("type", [
  v.object({ id: v.string(), type: v.literal("title"), title: richText }),
]);
export type PropertyValue = v.InferOutput<typeof propertyValue>;

/** Values as they are answered, by name of their property. */
export const properties = v.record(v.string(), propertyValue);
export type Properties = Readonly<Record<string, PropertyValue>>;

/** The properties of a page without a title. */
export const UNTITLED: Properties = { title: titleValue([]) };

/** The properties after an input without faults: each value given replaces the whole value. */
export function editProperties(properties: Properties, input: PropertiesInput): Properties {
  const title = titleInput(input.title);
  return title === undefined ? properties : { title: titleValue(toRichText(title)) };
}

/** The rich text of the one property that is the title. */
export function titleOf(properties: Properties): RichText {
  return Object.values(properties).find((value) => value.type === "title")?.title ?? [];
}

/** The property of this name or id, percent-encoded or not; undefined where there is none. */
export function findProperty(properties: Properties, nameOrId: string): PropertyValue | undefined {
  const spellings = new Set([nameOrId, decoded(nameOrId)]);
  const entry = Object.entries(properties)
    .find(([name, { id }]) => spellings.has(id) || spellings.has(name));
  return entry?.[1];
}

/** Properties that do not exist, values of another type, and faults inside the title. */
export function propertyFaults(input: PropertiesInput, pointer: string): Fault[] {
  return Object.entries(input).flatMap(([name, value]) =>
    name === "title" ? titleFaults(value, pointerTo(pointer, name)) : [{
      pointer: pointerTo(pointer, name),
      detail: `\`${name}\` is not a property that exists.`,
    }]
  );
}

function titleFaults(value: PropertyInput, pointer: string): Fault[] {
  const title = titleInput(value);
  if (title === undefined) return [{ pointer, detail: "`title` is expected to be `title`." }];
  return richTextFaults(title, Array.isArray(value) ? pointer : pointerTo(pointer, "title"));
}

function titleInput(value: PropertyInput | undefined): RichTextInput | undefined {
  return Array.isArray(value) ? value : value?.title;
}

function titleValue(title: RichText): PropertyValue {
  return { id: "title", type: "title", title };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone `%` is a name as it stands.
    return text;
  }
}
