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
} from "../../content/databases/evaluation.ts";
import { type LoadPlan, type LoadRequest, planLoad } from "../../content/databases/load_plan.ts";
import { userIdsIn } from "../../content/properties/mod.ts";
import type { PropertyOf, Schema } from "../../content/schema/property.ts";
import { type ComputeBudget, createReplyBudget } from "../../content/formulas/compute_budget.ts";
import { LIMITS } from "../../content/values/limits.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { parseRowDoc } from "../../content/pages/rows.ts";
import type { NodeReader, RowReader, UserStore } from "../../store/port.ts";
import type { Database } from "../shared/database_cache.ts";
import { createRest, type Rest } from "../../shared/yield_to_event_loop.ts";

/** Rows of one database whose values are computed. */
export interface EvaluationQuery {
  readonly database: Database;
  readonly nodes: readonly NodeView[];
  /** IDs of the properties to compute. All if absent. */
  readonly wanted?: ReadonlySet<string> | undefined;
  /** Links that the rows will have after the request, by ID of the relation property. */
  readonly links?: ReadonlyMap<string, readonly string[]> | undefined;
  /** True if the names of users and rows are needed. */
  readonly byName?: boolean;
  /** The compute budget of the response. A full one if absent. */
  readonly work?: ComputeBudget | undefined;
  /** Called while many rows are loaded. */
  readonly rest?: Rest;
  readonly now: number;
}

type EvaluationStore = NodeReader & RowReader & UserStore;

/** Number of rows that are read at once. */
const PORTION = 100;

/** Loads what the values of these rows are computed from. */
export async function loadEvaluationInput(
  store: EvaluationStore,
  workspace: string,
  query: EvaluationQuery,
): Promise<EvaluationInput> {
  const { database, nodes, now, links, byName = false } = query;
  const loading: LoadState = {
    store,
    workspace,
    database,
    rest: query.rest ?? createRest(),
    rows: new Map(),
    people: new Set(),
    computed: [],
  };
  const all = () => new Set(database.doc.properties.map(({ id }) => id));
  const wanted = {
    databaseId: database.node.id,
    propertyIds: query.wanted ?? all(),
    references: [],
    byName,
  };
  await loadLevel(loading, { wanted, nodes, links, level: 0 });
  const people = [...loading.people];
  const users = people.length === 0 ? [] : await store.users(workspace, people);
  return {
    rows: loading.rows,
    users: new Map(users.map(({ id, name }) => [id, name])),
    schemaOf: (id) => schemaOf(database, id),
    compile: database.compile,
    computed: inOrder(loading),
    budget: query.work ?? createReplyBudget(),
    now,
  };
}

interface LoadState {
  readonly store: EvaluationStore;
  readonly workspace: string;
  readonly database: Database;
  readonly rest: Rest;
  readonly rows: Map<string, LoadedRow>;
  /** Users whose names are needed. */
  readonly people: Set<string>;
  readonly computed: LevelValues[];
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
  readonly wanted: LoadRequest;
  readonly nodes: readonly NodeView[];
  readonly links?: EvaluationQuery["links"];
  /** Number of relations that lead here. */
  readonly level: number;
}

async function loadLevel(loading: LoadState, level: Level): Promise<void> {
  const { store, workspace, database } = loading;
  const { databaseId } = level.wanted;
  const needs = planLoad(schemaOf(database, databaseId), database.compile, level.wanted);
  const rows = await inPortions(
    loading,
    level.nodes,
    (some) => some.map((node) => loadedRow(loading, databaseId, node)),
  );
  for (const property of needs.properties) {
    if (isComputed(property)) loading.computed.push({ databaseId, property, rows });
  }
  await loadLinks(loading, { needs, rows, links: level.links });
  if (needs.readsNames) addPeople(loading, needs, rows);
  if (level.level >= LIMITS.formulaDepth) return;
  for (const wanted of needs.related) {
    const ids = new Set(
      rows.flatMap(({ links }) => wanted.relations.flatMap(({ id }) => links.get(id) ?? [])),
    );
    if (ids.size === 0) continue;
    const nodes = await inPortions(loading, [...ids], (some) => store.nodes(workspace, some));
    await loadLevel(loading, { wanted, nodes, level: level.level + 1 });
  }
}

function loadedRow({ rows }: LoadState, databaseId: string, node: NodeView): LoadedRow {
  const loaded = rows.get(node.id);
  if (loaded !== undefined) return loaded;
  const doc = parseRowDoc(node.doc);
  const row = { databaseId, node, doc, values: doc.values, links: new Map() };
  rows.set(node.id, row);
  return row;
}

interface LinkLoad {
  readonly needs: LoadPlan;
  readonly rows: readonly LoadedRow[];
  readonly links: EvaluationQuery["links"];
}

async function loadLinks(loading: LoadState, { needs, rows, links }: LinkLoad): Promise<void> {
  const relations = [...needs.properties].filter((property) => property.type === "relation");
  await Promise.all(relations.map(async (relation) => {
    const given = links?.get(relation.id);
    if (given === undefined) return await loadRelation(loading, relation, rows);
    for (const row of rows) row.links.set(relation.id, given);
  }));
}

async function loadRelation(
  loading: LoadState,
  { id, relationId, side }: PropertyOf<"relation">,
  rows: readonly LoadedRow[],
): Promise<void> {
  const missing = rows.filter(({ links }) => !links.has(id));
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
  for (const { node, links } of missing) links.set(id, found.get(node.id) ?? []);
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
