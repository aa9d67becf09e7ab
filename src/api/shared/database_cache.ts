/**
 * Databases as they stand now, with those that their schemas lead to: parsed once for as long as
 * none of them changes.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import {
  createPropertyCompiler,
  isComputed,
  type PropertyCompiler,
} from "../../content/databases/property_compiler.ts";
import {
  type KnownDatabase,
  parseDatabaseDoc,
  type Related,
} from "../../content/schema/database.ts";
import type { Schema } from "../../content/schema/property.ts";
import { LIMITS } from "../../content/values/limits.ts";
import type { NodeView } from "../../content/schema/node.ts";
import type { Store } from "../../store/port.ts";

/** A database as it was read. */
export interface ReadDatabase extends KnownDatabase {
  readonly node: NodeView;
}

/** A database with all that its answers and those of its rows are made from. */
export interface Database extends ReadDatabase {
  /**
   * Itself, the databases that it is related to, and those that these compute their values from.
   */
  readonly related: Related;
  readonly compile: PropertyCompiler;
}

export interface DatabaseCache {
  /** The database of this id, trashed or not; undefined where there is none. */
  find(workspace: string, id: string): Promise<Database | undefined>;
  /** The databases of these ids, and those that they lead to. */
  loadRelated(workspace: string, ids: readonly string[]): Promise<RelatedDatabases>;
}

type RelatedDatabases = ReadonlyMap<string, ReadDatabase>;

const MAX_DATABASES = 500;

/** Creates a catalog with nothing in it yet. */
export function createDatabaseCache(store: Store): DatabaseCache {
  const kept = new LRUCache<string, Database>({ max: MAX_DATABASES });
  return {
    loadRelated: (workspace, ids) => loadRelated(store, workspace, ids),
    async find(workspace, id) {
      const key = `${workspace}\n${id}`;
      const known = kept.get(key);
      if (known !== undefined && await isCurrent(store, workspace, known)) return known;
      const database = toDatabase(id, await loadRelated(store, workspace, [id]));
      if (database !== undefined) kept.set(key, database);
      return database;
    },
  };
}

/** A database as it will be, before it is stored. */
export function withPendingSchema(known: ReadDatabase, related: Related): Database {
  const all = new Map([...related, [known.node.id, known]]);
  return { ...known, related: all, compile: createPropertyCompiler(schemas(all)) };
}

function toDatabase(id: string, related: RelatedDatabases): Database | undefined {
  const known = related.get(id);
  return known && { ...known, related, compile: createPropertyCompiler(schemas(related)) };
}

function schemas(related: Related): (databaseId: string) => Schema | undefined {
  return (id) => related.get(id)?.doc.properties;
}

async function isCurrent(store: Store, workspace: string, { related }: Database): Promise<boolean> {
  const nodes = [...related.values()].map(({ node }) => node);
  const versions = await Promise.all(nodes.map(({ id }) => store.version(workspace, id)));
  return versions.every((version, index) => version === nodes[index]?.version);
}

/** Reads level by level, so that one query brings all databases of a level. */
async function loadRelated(
  store: Store,
  workspace: string,
  ids: readonly string[],
): Promise<RelatedDatabases> {
  const related = new Map<string, ReadDatabase>();
  let wanted = ids;
  for (let level = 0; level <= LIMITS.formulaDepth && wanted.length > 0; level++) {
    const nodes = await store.nodes(workspace, wanted);
    const found = nodes.filter(({ kind }) => kind === "database")
      .map((node) => ({ node, doc: parseDatabaseDoc(node.doc) }));
    for (const known of found) related.set(known.node.id, known);
    // Without formulas and rollups nothing is shown of what related databases are related to.
    const isComputing = [...related.values()].some(({ doc }) => doc.properties.some(isComputed));
    const next = level === 0 || isComputing ? found.flatMap(relatedTo) : [];
    wanted = [...new Set(next)].filter((id) => !related.has(id));
  }
  return related;
}

function relatedTo({ doc }: KnownDatabase): string[] {
  return doc.properties.flatMap((property) =>
    property.type === "relation" ? [property.databaseId] : []
  );
}
