/**
 * Loading what rows are computed from: level by level along their relations, with a few queries a
 * level however many rows there are.
 *
 * @module
 */
import { isComputed } from "../../content/databases/computed.ts";
import type {
  ComputedValues,
  EvaluationInput,
  LoadedRow,
} from "../../content/databases/evaluation.ts";
import { type Needs, needsOf, type Wanted } from "../../content/databases/needs.ts";
import { userIdsIn } from "../../content/properties/mod.ts";
import type { PropertyOf, Schema } from "../../content/schema/property.ts";
import { type ComputeBudget, createAnswerBudget } from "../../content/formulas/compute_budget.ts";
import { LIMITS } from "../../content/values/limits.ts";
import type { NodeView } from "../../content/schema/node.ts";
import { parseRowDoc } from "../../content/pages/rows.ts";
import type { Store } from "../../store/port.ts";
import type { Database } from "../shared/database_cache.ts";
import { createRest, type Rest } from "../shared/yield_to_event_loop.ts";

/** Rows of one database whose values are asked for. */
export interface EvaluationQuery {
  readonly database: Database;
  readonly nodes: readonly NodeView[];
  /** Ids of the properties that are asked for; all where absent. */
  readonly wanted?: ReadonlySet<string> | undefined;
  /** Links that the rows will have once the request is done, by id of the relation's property. */
  readonly links?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Whether users and rows that they show are asked for by name. */
  readonly byName?: boolean;
  /** What is left of the work of the answer; all of it where absent. */
  readonly work?: ComputeBudget | undefined;
  /** Asked while many rows are loaded. */
  readonly rest?: Rest;
  readonly now: number;
}

/** Rows that are read at once. */
const PORTION = 200;

/** Reads what the values of these rows are computed from. */
export async function loadEvaluationInput(
  store: Store,
  workspace: string,
  query: EvaluationQuery,
): Promise<EvaluationInput> {
  const { database, nodes, now, links, byName = false } = query;
  const loading: Loading = {
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
    computing: database.computing,
    computed: inOrder(loading),
    work: query.work ?? createAnswerBudget(),
    now,
  };
}

interface Loading {
  readonly store: Store;
  readonly workspace: string;
  readonly database: Database;
  readonly rest: Rest;
  readonly rows: Map<string, LoadedRow>;
  /** Users whose names are read. */
  readonly people: Set<string>;
  readonly computed: LevelValues[];
}

interface LevelValues extends ComputedValues {
  readonly databaseId: string;
}

/** What is computed, each after all that lies below it. */
function inOrder({ computed, database: { computing } }: Loading): readonly ComputedValues[] {
  const heightOf = ({ databaseId, property }: LevelValues) =>
    computing(databaseId, property).height;
  return computed.toSorted((a, b) => heightOf(a) - heightOf(b));
}

interface Level {
  readonly wanted: Wanted;
  readonly nodes: readonly NodeView[];
  readonly links?: EvaluationQuery["links"];
  /** How many relations lead here. */
  readonly level: number;
}

async function loadLevel(loading: Loading, level: Level): Promise<void> {
  const { store, workspace, database } = loading;
  const { databaseId } = level.wanted;
  const needs = needsOf(schemaOf(database, databaseId), database.computing, level.wanted);
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

function loadedRow({ rows }: Loading, databaseId: string, node: NodeView): LoadedRow {
  const known = rows.get(node.id);
  if (known !== undefined) return known;
  const row = { databaseId, node, values: parseRowDoc(node.doc).values, links: new Map() };
  rows.set(node.id, row);
  return row;
}

interface LinkLoad {
  readonly needs: Needs;
  readonly rows: readonly LoadedRow[];
  readonly links: EvaluationQuery["links"];
}

async function loadLinks(loading: Loading, { needs, rows, links }: LinkLoad): Promise<void> {
  const relations = [...needs.properties].filter((property) => property.type === "relation");
  await Promise.all(relations.map(async (relation) => {
    const given = links?.get(relation.id);
    if (given === undefined) return await loadRelation(loading, relation, rows);
    for (const row of rows) row.links.set(relation.id, given);
  }));
}

async function loadRelation(
  loading: Loading,
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
      async (ids) => [...await store.links(workspace, { relationId, side, ids })],
    ),
  );
  for (const { node, links } of missing) links.set(id, found.get(node.id) ?? []);
}

function addPeople({ people }: Loading, { properties }: Needs, rows: readonly LoadedRow[]): void {
  for (const property of properties) {
    for (const row of rows) {
      for (const id of userIdsIn(property, row.values, row.node)) people.add(id);
    }
  }
}

/** Maps all items in portions, and yields to the event loop between them. */
async function inPortions<From, To>(
  { rest }: Loading,
  items: readonly From[],
  make: (some: readonly From[]) => readonly To[] | Promise<readonly To[]>,
): Promise<To[]> {
  const made: To[] = [];
  for (let at = 0; at < items.length; at += PORTION) {
    made.push(...await make(items.slice(at, at + PORTION)));
    await rest();
  }
  return made;
}

function schemaOf({ related }: Database, id: string): Schema {
  return related.get(id)?.doc.properties ?? [];
}
