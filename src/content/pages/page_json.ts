/**
 * Pages in the form of replies.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import { cover, icon } from "../values/icons.ts";
import { idOutput } from "../values/ids.ts";
import { type Addresses, urlsAt } from "../values/page_urls.ts";
import type { NodeView } from "../schema/node.ts";
import { type PageDoc, parsePageDoc } from "./pages.ts";
import { parent, parentJson } from "../schema/parents.ts";
import { locked } from "../values/locked.ts";
import { findValues, properties } from "../properties/mod.ts";
import { piecesOf, type Text, textOf } from "../../shared/long_text.ts";
import { partialUser, partialUserJson } from "../values/users.ts";

const time = v.pipe(v.string(), v.isoTimestamp());

/** The output schema of a page, which does not include its content. */
export const page = v.object({
  object: v.literal("page"),
  id: idOutput,
  created_time: time,
  last_edited_time: time,
  created_by: partialUser,
  last_edited_by: partialUser,
  cover,
  icon,
  parent,
  archived: v.boolean(),
  in_trash: v.boolean(),
  properties,
  url: v.string(),
  public_url: v.nullable(v.string()),
  is_locked: locked,
});
component(
  page,
  "Page",
  "A page, or a row of a database. Its content is a list of blocks, which you read separately.",
);

export interface PageJsonOptions extends Addresses {
  /** The node's `doc`, as stored or with mentions filled in and properties filtered. */
  readonly doc: Text;
}

/** The page as JSON text. Does not parse `doc`. */
export function pageJson(view: NodeView, { doc, ...addresses }: PageJsonOptions): Text {
  const trashed = view.trashRoot !== null;
  const { look, values } = splitDoc(piecesOf(doc));
  const url = JSON.stringify(urlsAt(addresses)("page", view.id));
  values[0] = `{"object":"page",${historyJson(view)},${look}"parent":${parentJson(view)},` +
    `"archived":${trashed},"in_trash":${trashed},${values[0]}`;
  values[values.length - 1] += `,"url":${url},"public_url":null}`;
  return textOf(values);
}

/**
 * The `doc` with only these properties, by name or id.
 *
 * @throws {AppError} `validation_error` with every name and id that the page has no property for.
 */
export function filterProperties(doc: string, names: readonly string[]): string {
  const content = parsePageDoc(doc);
  const found = findValues(content.properties, names);
  const entries = Object.entries(content.properties).filter(([, value]) => found.includes(value));
  const filtered: PageDoc = { ...content, properties: Object.fromEntries(entries) };
  return JSON.stringify(filtered);
}

// No JSON.stringify: ids and times need no escaping, and pages are the most frequent reply.
function historyJson(view: NodeView): string {
  const created = new Date(view.createdTime).toISOString();
  const edited = new Date(view.editedTime).toISOString();
  return `"id":"${view.id}","created_time":"${created}","last_edited_time":"${edited}",` +
    `"created_by":${partialUserJson(view.createdBy)},` +
    `"last_edited_by":${partialUserJson(view.editedBy)}`;
}

/**
 * Splits the pieces of `doc` into the members before `properties`, all in its first piece, and the
 * pieces of `properties`, without braces.
 */
function splitDoc(doc: readonly string[]): { readonly look: string; readonly values: string[] } {
  const [first = ""] = doc;
  // INVARIANT: `properties` is the last member. The first `"properties":` is its key: in a string
  // the quotes would be escaped, and icons and covers have no such key.
  const at = first.indexOf('"properties":');
  const last = doc.length - 1;
  const values = doc.map((piece, index) =>
    piece.slice(index === 0 ? at : 0, index === last ? -1 : undefined)
  );
  return { look: first.slice(1, at), values };
}
