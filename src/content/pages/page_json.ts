/**
 * Pages as they are answered.
 *
 * @module
 */
import * as v from "valibot";
import { component } from "../../shared/component.ts";
import { cover, icon } from "../values/icons.ts";
import { idOutput } from "../values/ids.ts";
import type { NodeView } from "../schema/node.ts";
import { type PageDoc, parsePageDoc } from "./pages.ts";
import { parent, parentJson } from "../schema/parents.ts";
import { findValues, properties } from "../properties/mod.ts";
import { partialUser, partialUserJson } from "../values/users.ts";

const time = v.pipe(v.string(), v.isoTimestamp());

/** A page as it is answered; its content is apart. */
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
});
component(
  page,
  "Page",
  "A page, or a row of a database. Its content is a list of blocks, which you read separately.",
);

export interface PageAnswer {
  /** Origin that the page's address names. */
  readonly publicUrl: string;
  /** The node's `doc`, as it is or with its mentions filled in and its properties filtered. */
  readonly doc: string;
}

/** The page as JSON text, without parsing its content. */
export function pageJson(view: NodeView, { publicUrl, doc }: PageAnswer): string {
  const trashed = view.trashRoot !== null;
  const [look, values] = splitDoc(doc);
  const url = JSON.stringify(`${publicUrl}/v2/pages/${view.id}`);
  return `{"object":"page",${historyJson(view)},${look}"parent":${parentJson(view)},` +
    `"archived":${trashed},"in_trash":${trashed},${values},"url":${url},"public_url":null}`;
}

/**
 * The `doc` with only those properties, named by name or id.
 *
 * @throws {AppError} `validation_error` with every name that the page has no property of.
 */
export function filterProperties(doc: string, names: readonly string[]): string {
  const content = parsePageDoc(doc);
  const found = findValues(content.properties, names);
  const kept = Object.entries(content.properties).filter(([, value]) => found.includes(value));
  const filtered: PageDoc = { ...content, properties: Object.fromEntries(kept) };
  return JSON.stringify(filtered);
}

// Written by hand because ids and times need no escaping and no answer is asked for as often.
function historyJson(view: NodeView): string {
  const created = new Date(view.createdTime).toISOString();
  const edited = new Date(view.editedTime).toISOString();
  return `"id":"${view.id}","created_time":"${created}","last_edited_time":"${edited}",` +
    `"created_by":${partialUserJson(view.createdBy)},` +
    `"last_edited_by":${partialUserJson(view.editedBy)}`;
}

/** The members before `properties`, with the comma behind them, and `properties`; no braces. */
function splitDoc(doc: string): [look: string, values: string] {
  // INVARIANT: `properties` is the last member. The first `"properties":` is its key, for inside a
  // string the quote before the colon would be escaped, and icons and covers have no such key.
  const at = doc.indexOf('"properties":');
  return [doc.slice(1, at), doc.slice(at, -1)];
}
