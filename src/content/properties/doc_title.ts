/**
 * The title in a page's document, whether it is a row of a database or not.
 *
 * @module
 */
import type { RichText } from "../values/rich_text.ts";
import { type Properties, titleOf } from "./read.ts";

/** The title that the `doc` of a page or row has. */
export function docTitle(doc: string): RichText {
  // Sound because a page's document has its properties, and a row's its values.
  const { properties, values } = JSON.parse(doc) as {
    readonly properties?: Properties;
    readonly values?: { readonly title?: RichText };
  };
  return properties === undefined ? values?.title ?? [] : titleOf(properties);
}
