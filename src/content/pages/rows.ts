/**
 * Rows of databases: pages whose properties follow their database's schema.
 *
 * @module
 */
import type { ValidationIssue } from "../../shared/errors.ts";
import type { Property, Schema } from "../schema/property.ts";
import { type Cover, type Icon, isHosted, toCover, toIcon } from "../values/icons.ts";
import { type Edit, firstState, type Node, type NodeContent } from "../schema/node.ts";
import { appearanceIssues, type PageEdit } from "./pages.ts";
import {
  cellsOf,
  convertValue,
  editValues,
  kindOf,
  newValues,
  pick,
  propertiesWriter,
  type RowContext,
  storedIn,
  textsOf,
  valueIssues,
  type Values,
} from "../properties/mod.ts";
import type { PropertyCell } from "../schema/cells.ts";
import { LIMITS } from "../values/limits.ts";
import { plainText, type RichText } from "../values/rich_text.ts";

/** The content of a row's `doc`. */
export interface RowDoc {
  readonly cover: Cover;
  readonly icon: Icon;
  /** True if people should not edit the row; absent if they may. */
  readonly is_locked?: true;
  readonly values: Values;
}

/** The members of a request that set a row's content. */
export type RowInput = Pick<PageEdit, "properties" | "icon" | "cover" | "is_locked">;

/** The content of a row, including its cells. */
export type RowContent = NodeContent & { readonly cells: readonly PropertyCell[] };

export interface NewRow {
  readonly input: RowInput;
  /** With every option that the input names. */
  readonly schema: Schema;
  readonly id: string;
  readonly databaseId: string;
  readonly position: string;
  readonly edit: Edit;
  /** Number in its database, if the database numbers its rows. */
  readonly number?: number | undefined;
}

/** Creates the node and cells of a row from a valid input; links are handled elsewhere. */
export function newRow(row: NewRow): { readonly node: Node; readonly cells: RowContent["cells"] } {
  const { input, schema, id, databaseId, position, edit, number } = row;
  const values = newValues(schema, input.properties ?? {}, { by: edit.by, number });
  const { cells, ...content } = contentOf(
    schema,
    withAppearance({ cover: null, icon: null, values }, input),
  );
  const node: Node = {
    id,
    kind: "page",
    type: "child_page",
    parentKind: "database",
    parentId: databaseId,
    containerId: databaseId,
    position,
    ...content,
    ...firstState(edit),
  };
  return { node, cells };
}

export interface RowEdit {
  /** With every option that the input names. */
  readonly schema: Schema;
  readonly by: string;
}

/** The content of a row after an edit. */
export interface EditedRow {
  readonly content: NodeContent;
  /** Returns the cells; for long values this takes as long as the rest. */
  cells(): readonly PropertyCell[];
}

/** Applies a valid edit to a row; links, trash and restore are handled elsewhere. */
export function editRow(node: Node, input: RowInput, { schema, by }: RowEdit): EditedRow {
  const before = parseRowDoc(node.doc);
  const values = editValues(schema, input.properties ?? {}, { by, values: before.values });
  const doc = withAppearance({ ...before, values }, input);
  return { content: storedContent(schema, doc), cells: () => cellsOf(schema, doc.values) };
}

/** All issues of an edit of a row. */
export function rowUpdateIssues(node: Node, schema: Schema, input: RowInput): ValidationIssue[] {
  const { values } = parseRowDoc(node.doc);
  return [
    ...valueIssues(schema, input.properties ?? {}, { pointer: "/properties", values }),
    ...appearanceIssues(input),
  ];
}

/**
 * The issue of a row whose values are too long together. One that was as long before, by `before` UTF-16
 * code units, may stay so.
 */
export function lengthIssues(
  { doc: { length } }: Pick<NodeContent, "doc">,
  { pointer, before = 0 }: { readonly pointer: string; readonly before?: number },
): ValidationIssue[] {
  if (length <= Math.max(LIMITS.rowLength, before)) return [];
  const detail =
    `The values of a row can take at most ${LIMITS.rowLength} characters as JSON, but ` +
    `these take ${length}. Put long texts into the row's content.`;
  return [{ pointer, detail }];
}

/** The content of a row under a new schema. */
export interface ReshapedRow {
  /** Undefined if the row and its cells stay as they are. */
  readonly content: RowContent | undefined;
  /** False if search finds the row by the same texts as before. */
  readonly hasNewTexts: boolean;
}

/** Returns a row under a new schema. `number` is for one that has none yet. */
export type Reshape = (node: Node, number?: number) => ReshapedRow;

/**
 * Adapts rows to a new schema of their database: converts the values of properties with a new type.
 */
export function createReshape(before: Schema, after: Schema): Reshape {
  const earlier = new Map(before.map((property) => [property.id, property]));
  const stayed = new Set(after.map(({ id }) => id));
  const removed = before.filter(({ id }) => !stayed.has(id));
  return (node, number) => {
    const doc = parseRowDoc(node.doc);
    let isSame = true;
    let hasNewTexts = removed.some((property) =>
      textsOf(storedIn(doc.values, property), property).length > 0
    );
    const values = pick(after, (property) => {
      const old = earlier.get(property.id);
      const stored = storedIn(doc.values, property);
      const converted = old && convertValue(stored, old, property);
      const value = converted ?? (kindOf(property).isNumber ? number : undefined);
      if (value === stored && old?.type === property.type) return value;
      isSame = false;
      const oldTexts = old === undefined ? [] : textsOf(stored, old);
      hasNewTexts ||= !areSame(oldTexts, textsOf(value, property));
      return value;
    });
    return { content: isSame ? undefined : contentOf(after, { ...doc, values }), hasNewTexts };
  };
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}

/** Parses the `doc` of a row. */
export function parseRowDoc(doc: string): RowDoc {
  // Sound because only `newRow`, `editRow` and `createReshape` write it.
  return JSON.parse(doc) as RowDoc;
}

/** Converts a row's `doc` to the text of a page's `doc`, for `pageJson`, in pieces. */
export function* rowPageDoc(
  { cover, icon, is_locked, values }: RowDoc,
  schema: Schema,
  row: RowContext,
): Generator<string> {
  yield `${JSON.stringify({ cover, icon, is_locked }).slice(0, -1)},"properties":`;
  yield* propertiesWriter(schema)(values, row);
  yield "}";
}

function withAppearance(doc: RowDoc, { cover, icon, is_locked: lock }: RowInput): RowDoc {
  return {
    cover: cover === undefined ? doc.cover : toCover(cover),
    icon: icon === undefined ? doc.icon : toIcon(icon),
    ...((lock ?? doc.is_locked) && { is_locked: true }),
    values: doc.values,
  };
}

function contentOf(schema: Schema, doc: RowDoc): RowContent {
  return { ...storedContent(schema, doc), cells: cellsOf(schema, doc.values) };
}

function storedContent(schema: Schema, doc: RowDoc): NodeContent {
  return {
    title: plainText(titleIn(doc)),
    doc: JSON.stringify(doc),
    hasMentions: isHosted(doc.icon) || isHosted(doc.cover) ||
      schema.some((property) => mentions(property, doc.values)),
  };
}

function titleIn({ values }: RowDoc): RichText {
  // Sound because the title's id is always `title`, and titles are stored as rich text.
  return (storedIn(values, { id: "title" }) ?? []) as RichText;
}

function mentions(property: Property, values: Values): boolean {
  const stored = storedIn(values, property);
  return stored !== undefined && kindOf(property).mentions?.(stored) === true;
}
