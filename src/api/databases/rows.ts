/**
 * Rows of databases, which are pages: responses and writes.
 *
 * @module
 */
import type { ComputeBudget } from "../../content/formulas/compute_budget.ts";
import type { Change, Node, NodeView } from "../../content/schema/node.ts";
import { pageJson } from "../../content/pages/page_json.ts";
import type { PageCreateInput, PageEdit } from "../../content/pages/pages.ts";
import { type Gap, positionsIn } from "../../content/values/position.ts";
import { kindOf, onlyNamed, valueIssues } from "../../content/properties/mod.ts";
import {
  editRow,
  lengthIssues,
  newRow,
  parseRowDoc,
  rowPageDoc,
  rowUpdateIssues,
} from "../../content/pages/rows.ts";
import { validationError, type ValidationIssue } from "../../shared/errors.ts";
import type { Call } from "../../http/endpoint.ts";
import type { Database } from "../shared/database_cache.ts";
import { editOf, type Step, update } from "../shared/edits.ts";
import { findDatabase } from "./endpoints.ts";
import { gather, type Text } from "../../shared/long_text.ts";
import { createRest } from "../../shared/yield_to_event_loop.ts";
import { readDocs, requireLiving, textEtag, withUsers } from "../shared/nodes.ts";
import type { TaggedReply } from "../shared/page_reply_cache.ts";
import { materializedCells } from "../shared/materialized_cells.ts";
import { linkChanges, newLinkCounts, prepareRows } from "./row_writes.ts";
import type { Services } from "../shared/services.ts";
import { withFiles } from "../shared/uploads.ts";
import { evaluateRows } from "./evaluate_rows.ts";
import { withPendingLinks } from "./pending_links.ts";
import { loadEvaluationInput } from "./evaluation_input.ts";

export interface RowReplies {
  readonly database: Database;
  readonly nodes: readonly NodeView[];
  /** Names or IDs of the properties to include. All if absent. */
  readonly names?: readonly string[] | undefined;
  /** The changes of the request, which are not committed yet; links are shown as they will be. */
  readonly changes?: readonly Change[];
  /** The compute budget of the response. A full one if absent. */
  readonly work?: ComputeBudget | undefined;
  /** Called once more is read than short replies are made from. */
  readonly pause?: (() => Promise<void>) | undefined;
  readonly now: number;
}

/** Returns rows as JSON text, in the same order, with a few queries for all of them. */
export async function rowJsons(
  services: Services,
  workspace: string,
  { database, nodes, names, changes = [], work, pause, now }: RowReplies,
): Promise<readonly Text[]> {
  const { store, publicUrl, pageUrl } = services;
  const own = database.doc.properties;
  const schema = names === undefined ? own : onlyNamed(own, names);
  const wanted = new Set(schema.map(({ id }) => id));
  const { related } = database;
  const links = await withPendingLinks(store, workspace, { changes, related });
  const input = await loadEvaluationInput({ ...store, links }, workspace, {
    database,
    nodes,
    wanted,
    work,
    pause,
    now,
  });
  const rest = createRest();
  const { contextOf } = await evaluateRows(input, rest);
  const docs = await readDocs(services, workspace, nodes);
  const pageDocs: Text[] = [];
  for (const [index, row] of input.requested.entries()) {
    const filled = docs[index];
    const isFilled = filled !== undefined && filled !== nodes[index]?.doc;
    const content = isFilled ? parseRowDoc(filled) : row.doc;
    pageDocs.push(await gather(rowPageDoc(content, schema, contextOf(row)), rest));
    await rest();
  }
  const shown = await withUsers(services, workspace, pageDocs, rest);
  const rows = nodes.map((node, index) =>
    pageJson(node, { publicUrl, pageUrl, doc: shown[index] ?? "" })
  );
  await rest();
  // The files of rollups come from rows without download URLs.
  const complete = await withFiles(services, workspace, rows, rest);
  await rest();
  return complete;
}

/** Returns the reply with one row. */
export async function rowReply(
  services: Services,
  workspace: string,
  { node, ...answers }: Omit<RowReplies, "nodes"> & { readonly node: NodeView },
): Promise<TaggedReply> {
  const [body = ""] = await rowJsons(services, workspace, { ...answers, nodes: [node] });
  return { body, etag: await textEtag(services, body) };
}

/** Returns all issues of the values of a new row, whose body is at the pointer. */
export function rowCreateIssues(
  { doc }: Database,
  { properties }: PageCreateInput,
  pointer: string,
): ValidationIssue[] {
  return valueIssues(doc.properties, properties, { pointer: `${pointer}/properties` });
}

type Caller = Pick<Call<unknown, unknown, unknown>, "caller" | "now">;

/** UTF-16 code units of a document that takes a millisecond or two to be read or parsed. */
const LONG = 200_000;

/** New rows of one database, in order, with the changes that create them. */
export interface NewRows {
  readonly database: Database;
  readonly changes: readonly Change[];
  readonly nodes: readonly NodeView[];
}

/** The database of new rows, and the position of the rows in it. */
export interface RowPosition {
  readonly database: Database;
  readonly gap: Gap | undefined;
  /** The last unique ID given to a row. */
  readonly lastNumber: number;
}

/** The input that a row is made from. */
export interface RowDraft {
  readonly body: PageCreateInput;
  /** JSON pointer to it in the body of the request. */
  readonly pointer: string;
  /** The page that becomes the row; by default a new one. */
  readonly page?: Pick<Node, "id" | "createdTime" | "createdBy">;
}

/** Reads the position of new rows. Throws if the database is missing or in the trash. */
export async function readRowPlace(
  services: Services,
  workspace: string,
  { id, pointer = "" }: { readonly id: string; readonly pointer?: string },
): Promise<RowPosition> {
  const [database, gap, lastNumber] = await Promise.all([
    findDatabase(services, workspace, id, `${pointer}/parent/database_id`),
    services.store.gap(workspace, id, "end"),
    services.store.lastNumber(workspace, id),
  ]);
  requireLiving(database.node, pointer);
  return { database, gap, lastNumber };
}

/** Makes rows from inputs that have no issues of their own. */
export async function makeRows(
  call: Caller,
  services: Services,
  { place, drafts }: { readonly place: RowPosition; readonly drafts: readonly RowDraft[] },
): Promise<NewRows> {
  const { gap, lastNumber } = place;
  const edit = editOf(call);
  const { database, links, changes } = await prepareRows(services, {
    workspace: call.caller.workspace,
    database: place.database,
    inputs: drafts.map(({ body, pointer }) => ({
      input: body.properties,
      pointer: `${pointer}/properties`,
    })),
    edit,
  });
  const schema = database.doc.properties;
  const databaseId = database.node.id;
  const positions = positionsIn(gap ?? { after: null, before: null }, drafts.length);
  const isNumbered = schema.some((property) => kindOf(property).isNumber);
  const numberAt = (index: number) => isNumbered ? lastNumber + index + 1 : undefined;
  const rest = createRest();
  const inserts: Extract<Change, { readonly op: "insert" }>[] = [];
  const issues: ValidationIssue[] = [];
  for (const [index, { body: input, pointer, page }] of drafts.entries()) {
    const position = positions[index] ?? "";
    const number = numberAt(index);
    const id = page?.id ?? services.newId();
    const row = newRow({ input, schema, id, databaseId, position, edit, number });
    // Formulas read when and by whom a page was created.
    const node = { ...row.node, ...page };
    issues.push(...lengthIssues(node, { pointer: `${pointer}/properties` }));
    const cells = [...row.cells, ...await materializedCells(database, node, rest)];
    inserts.push({ op: "insert", node, cells });
    await rest();
  }
  if (issues.length > 0) throw validationError(issues);
  const linksAt = (index: number) => links[index] ?? [];
  return {
    database,
    nodes: inserts.map(({ node }) => ({ ...node, hasChildren: false })),
    changes: [
      ...changes,
      ...inserts,
      ...inserts.flatMap(({ node }, index) => linkChanges(node.id, linksAt(index))),
      ...newLinkCounts(
        schema,
        inserts.map(({ node: { id } }, index) => ({ id, links: linksAt(index) })),
      ),
      ...(isNumbered ? [numbered(databaseId, { from: lastNumber, count: drafts.length })] : []),
    ],
  };
}

/** Returns the change that gives new rows the next unique IDs. */
function numbered(
  databaseId: string,
  { from, count }: { readonly from: number; readonly count: number },
): Change {
  return { op: "count", databaseId, from, to: from + count };
}

/** Returns the step that applies an input to a row. */
export interface RowChange {
  readonly database: Database;
  change(node: NodeView): Promise<Step>;
}

/** Checks an input to a row. Throws `validation_error` with all its issues. */
export async function changeRow(
  call: Caller & { readonly body: PageEdit },
  services: Services,
  { node, database: current }: { readonly node: NodeView; readonly database: Database },
): Promise<RowChange> {
  const { body, caller: { workspace } } = call;
  const rest = createRest();
  // The row was read in this turn.
  await rest(node.doc.length > LONG);
  const issues = rowUpdateIssues(node, current.doc.properties, body);
  if (issues.length > 0) throw validationError(issues);
  await rest();
  const edit = editOf(call);
  const input = body.properties ?? {};
  const prepared = await prepareRows(services, {
    workspace,
    database: current,
    inputs: [{ input, pointer: "/properties", id: node.id }],
    edit,
  });
  const { database, links: [links = []] } = prepared;
  const schema = database.doc.properties;
  return {
    database,
    async change(living) {
      await rest();
      const { content, cells: own } = editRow(living, body, { schema, by: edit.by });
      const before = living.doc.length;
      const tooLong = lengthIssues(content, { pointer: "/properties", before });
      if (tooLong.length > 0) throw validationError(tooLong);
      await rest();
      const stored = own();
      const materialized = await materializedCells(database, { ...living, ...content }, rest);
      const cells = [...stored, ...materialized];
      const step = update(living, { ...content, cells }, edit);
      return {
        node: step.node,
        changes: [...prepared.changes, ...step.changes, ...linkChanges(living.id, links)],
      };
    },
  };
}
