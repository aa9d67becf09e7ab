/**
 * Loads the input of formulas and rollups: level by level along relations, with a few queries for each
 * level, independent of the number of rows.
 *
 * @module
 */
import { isComputed } from "../../content/databases/property_compiler.ts";
import type {
  ComputedValues,
  EvaluationInput,
  LoadedRow,
  RequestedRow,
} from "../../content/databases/evaluation.ts";
import {
  type LoadPlan,
  type LoadRequest,
  planLoad,
  type RelatedLoad,
} from "../../content/databases/load_plan.ts";
import { storedIn, userIdsIn, type Values } from "../../content/properties/mod.ts";
import type { Property, PropertyOf, Schema } from "../../content/schema/property.ts";
import {
  type ComputeBudget,
  createReplyBudget,
  exhaust,
  MAX_RELATED,
} from "../../content/formulas/compute_budget.ts";
import { LIMITS } from "../../content/values/limits.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { parseRowDoc } from "../../content/pages/rows.ts";
import type { NodeReader, RowReader, UserStore } from "../../store/port.ts";
import type { Database } from "../shared/database_cache.ts";
import { createRest, type Rest } from "../../shared/yield_to_event_loop.ts";
import { nodePortions } from "../../shared/node_portions.ts";

/** Rows of one database whose values are computed. */
export interface EvaluationQuery {
  readonly database: Database;
  readonly nodes: readonly NodeView[];
  /** IDs of the properties to compute. All if absent. */
  readonly wanted?: ReadonlySet<string> | undefined;
  /** Links of a row in place of those of the store, by ID of the relation property. */
  readonly linksOf?: ((rowId: string) => ReadonlyMap<string, readonly string[]>) | undefined;
  /** True if the names of users and rows are needed. */
  readonly byName?: boolean;
  /** The compute budget of the response. A full one if absent. */
  readonly work?: ComputeBudget | undefined;
  /** Called while many rows are loaded. */
  readonly rest?: Rest;
  /** Called in place of `rest` once the values of related rows are long. */
  readonly pause?: (() => Promise<void>) | undefined;
  readonly now: number;
}

type EvaluationStore = NodeReader & RowReader & UserStore;

/** Number of rows that are read at once. */
const PORTION = 100;
/** UTF-16 code units of JSON of the related rows' values for one reply that are long. */
const LONG = 1_000_000;
/** Number of IDs that are collected between two pauses. */
const SLICE = 1_000;

/** The input of an evaluation, with the rows that were asked for, in the same order. */
export interface RequestedInput extends EvaluationInput {
  readonly requested: readonly RequestedRow[];
}

/** Loads what the values of these rows are computed from. */
export async function loadEvaluationInput(
  store: EvaluationStore,
  workspace: string,
  query: EvaluationQuery,
): Promise<RequestedInput> {
  const { database, nodes, now, linksOf, byName = false } = query;
  const loading: LoadState = {
    store,
    workspace,
    database,
    rest: query.rest ?? createRest(),
    pause: query.pause,
    requested: new Map(),
    rows: new Map(),
    people: new Set(),
    computed: [],
    budget: query.work ?? createReplyBudget(),
    related: 0,
  };
  const all = () => new Set(database.doc.properties.map(({ id }) => id));
  const databaseId = database.node.id;
  const needs = planOf(database, {
    databaseId,
    propertyIds: query.wanted ?? all(),
    references: [],
    byName,
  });
  const requested = await inPortions(
    loading,
    nodes,
    (some) => some.map((node) => requestedRow(loading, databaseId, node)),
  );
  await loadLevel(loading, { databaseId, needs, rows: requested, linksOf, level: 0 });
  const people = [...loading.people];
  const users = people.length === 0 ? [] : await store.users(workspace, people);
  return {
    requested,
    rows: loading.rows,
    users: new Map(users.map(({ id, name }) => [id, name])),
    schemaOf: (id) => schemaOf(database, id),
    compile: database.compile,
    computed: inOrder(loading),
    budget: loading.budget,
    now,
  };
}

interface LoadState {
  readonly store: EvaluationStore;
  readonly workspace: string;
  readonly database: Database;
  readonly rest: Rest;
  readonly pause: EvaluationQuery["pause"];
  /** The rows that were asked for. */
  readonly requested: Map<string, LoadingRow>;
  /** The requested rows, and all rows that their values are computed from. */
  readonly rows: Map<string, LoadingRow>;
  /** Users whose names are needed. */
  readonly people: Set<string>;
  readonly computed: LevelValues[];
  readonly budget: ComputeBudget;
  /** Length of the values of related rows, as JSON. */
  related: number;
}

/** A row to which values and links are added. */
interface LoadingRow extends LoadedRow {
  readonly values: Record<string, unknown>;
  links: Map<string, readonly string[]> | undefined;
}

interface LevelValues extends ComputedValues {
  readonly databaseId: string;
}

/** Returns the computed values, each after those that it depends on. */
function inOrder(
  { computed, database: { compile: computing } }: LoadState,
): readonly ComputedValues[] {
  const heightOf = ({ databaseId, property }: LevelValues) =>
    computing(databaseId, property).height;
  return computed.toSorted((a, b) => heightOf(a) - heightOf(b));
}

interface Level {
  readonly databaseId: string;
  readonly needs: LoadPlan;
  readonly rows: readonly LoadingRow[];
  readonly linksOf?: EvaluationQuery["linksOf"];
  /** Number of relations that lead here. */
  readonly level: number;
}

async function loadLevel(loading: LoadState, level: Level): Promise<void> {
  const { databaseId, needs, rows } = level;
  for (const property of needs.properties) {
    if (isComputed(property)) loading.computed.push({ databaseId, property, rows });
  }
  await loadLinks(loading, level);
  if (needs.readsNames) addPeople(loading, needs, rows);
  if (level.level >= LIMITS.formulaDepth) return;
  for (const wanted of needs.related) {
    const ids = await relatedIds(loading, rows, wanted);
    if (ids.length > 0) await loadRelated(loading, { wanted, ids, level: level.level + 1 });
  }
}

/** Returns the IDs of the rows at the other end of relations, each once. */
async function relatedIds(
  { rest }: LoadState,
  rows: readonly LoadingRow[],
  { relations }: RelatedLoad,
): Promise<string[]> {
  const ids = new Set<string>();
  for (const { links } of rows) {
    for (const { id } of relations) {
      const others = links?.get(id) ?? [];
      for (let at = 0; at < others.length; at += SLICE) {
        for (const other of others.slice(at, at + SLICE)) ids.add(other);
        await rest();
      }
    }
  }
  return [...ids];
}

interface RelatedRows {
  readonly wanted: LoadRequest;
  readonly ids: readonly string[];
  readonly level: number;
}

async function loadRelated(
  loading: LoadState,
  { wanted, ids, level }: RelatedRows,
): Promise<void> {
  const { store, workspace, database, rest, pause = rest } = loading;
  const { databaseId } = wanted;
  const needs = planOf(database, wanted);
  // The rows of the request have all their values, some of which may not be stored yet.
  const rows = ids.flatMap((id) => loading.requested.get(id) ?? []);
  const others = ids.filter((id) => !loading.requested.has(id));
  // Each portion is reduced to what is needed: the documents of all these rows may be large.
  for await (const nodes of nodePortions(store, workspace, others)) {
    rows.push(...nodes.map((node) => relatedRow(loading, { databaseId, needs, node })));
    if (loading.related > MAX_RELATED) return exhaust(loading.budget);
    await (loading.related > LONG ? pause() : rest());
  }
  await loadLevel(loading, { databaseId, needs, rows, level });
}

function planOf(database: Database, wanted: LoadRequest): LoadPlan {
  return planLoad(schemaOf(database, wanted.databaseId), database.compile, wanted);
}

function requestedRow(
  { requested, rows }: LoadState,
  databaseId: string,
  node: NodeView,
): LoadingRow & RequestedRow {
  const doc = parseRowDoc(node.doc);
  const row = { databaseId, node, doc, values: doc.values, links: undefined };
  requested.set(node.id, row);
  rows.set(node.id, row);
  return row;
}

interface RelatedRow {
  readonly databaseId: string;
  readonly needs: LoadPlan;
  readonly node: NodeView;
}

/** The row with the values that are needed of it, and not the rest of its document. */
function relatedRow(
  loading: LoadState,
  { databaseId, needs: { properties }, node }: RelatedRow,
): LoadingRow {
  const { rows } = loading;
  const row = rows.get(node.id) ??
    { databaseId, node: identityOf(node), values: {}, links: undefined };
  rows.set(node.id, row);
  const { values } = parseRowDoc(node.doc);
  for (const property of properties) loading.related += addValue(row, property, values);
  return row;
}

/**
 * Returns the length of the value that is added. A value that is there already stays: others may have
 * been computed from it.
 */
function addValue(row: LoadingRow, property: Property, values: Values): number {
  if (Object.hasOwn(row.values, property.id)) return 0;
  const stored = storedIn(values, property);
  if (stored === undefined) return 0;
  row.values[property.id] = stored;
  return JSON.stringify(stored).length;
}

function identityOf(
  { id, title, createdTime, createdBy, editedTime, editedBy }: NodeView,
): LoadedRow["node"] {
  return { id, title, createdTime, createdBy, editedTime, editedBy };
}

async function loadLinks(loading: LoadState, { needs, rows, linksOf }: Level): Promise<void> {
  const relations = [...needs.properties].filter((property) => property.type === "relation");
  await Promise.all(relations.map(async (relation) => {
    for (const row of rows) {
      const given = linksOf?.(row.node.id).get(relation.id);
      if (given !== undefined) setLinks(row, relation.id, given);
    }
    await loadRelation(loading, relation, rows);
  }));
}

function setLinks(row: LoadingRow, relationPropertyId: string, ids: readonly string[]): void {
  row.links ??= new Map();
  row.links.set(relationPropertyId, ids);
}

async function loadRelation(
  loading: LoadState,
  { id, relationId, side }: PropertyOf<"relation">,
  rows: readonly LoadingRow[],
): Promise<void> {
  const missing = rows.filter(({ links }) => links?.has(id) !== true);
  if (missing.length === 0) return;
  const ids = missing.map(({ node }) => node.id);
  const { store, workspace } = loading;
  const found = new Map(
    await inPortions(
      loading,
      ids,
      async (ids) => [...await store.links(workspace, { relationId, side, ids }, loading.rest)],
    ),
  );
  for (const row of missing) setLinks(row, id, found.get(row.node.id) ?? []);
}

function addPeople(
  { people }: LoadState,
  { properties }: LoadPlan,
  rows: readonly LoadedRow[],
): void {
  for (const property of properties) {
    for (const row of rows) {
      for (const id of userIdsIn(property, row.values, row.node)) people.add(id);
    }
  }
}

/** Maps all items in portions and yields to the event loop in between. */
async function inPortions<From, To>(
  { rest }: LoadState,
  items: readonly From[],
  make: (some: readonly From[]) => readonly To[] | Promise<readonly To[]>,
): Promise<To[]> {
  const converted: To[] = [];
  for (let at = 0; at < items.length; at += PORTION) {
    converted.push(...await make(items.slice(at, at + PORTION)));
    await rest();
  }
  return converted;
}

function schemaOf({ related }: Database, id: string): Schema {
  return related.get(id)?.doc.properties ?? [];
}
