/**
 * A cache of parsed databases with their related databases. An entry is used until one of them changes.
 *
 * @module
 */
import { LRUCache } from "lru-cache";
import { compileSteps } from "../../content/databases/compile_steps.ts";
import {
  createPropertyCompiler,
  isComputed,
  type PropertyCompiler,
} from "../../content/databases/property_compiler.ts";
import {
  parseDatabaseDoc,
  type Related,
  type StoredDatabase,
} from "../../content/schema/database.ts";
import type { Schema } from "../../content/schema/property.ts";
import { type CacheCounts, countAnswer } from "../../shared/cache_counts.ts";
import { LIMITS } from "../../content/values/limits.ts";
import type { NodeView } from "../../content/schema/node.ts";
import type { NodeReader } from "../../store/port.ts";
import { areCurrent } from "./versions.ts";
import { nodePortions } from "../../shared/node_portions.ts";
import { createRest, withRests } from "../../shared/yield_to_event_loop.ts";

/** A database as it is stored. */
export interface ReadDatabase extends StoredDatabase {
  readonly node: NodeView;
}

/** A database with everything that replies with it and its rows are made from. */
export interface Database extends ReadDatabase {
  /**
   * The database itself, its related databases, and those that the related ones compute values from.
   */
  readonly related: Related;
  readonly compile: PropertyCompiler;
  /** Its number among all that were read, by the end of reading; infinite if it is not stored yet. */
  readonly since: number;
}

export interface DatabaseCache {
  /** Returns the database with this ID, also from the trash, or undefined if it does not exist. */
  find(workspace: string, id: string): Promise<Database | undefined>;
  /** Returns the databases with these IDs and the databases that they depend on. */
  loadRelated(workspace: string, ids: readonly string[]): Promise<RelatedDatabases>;
  /** The same cache for other reads, of a transaction that sees more. */
  over(store: NodeReader): DatabaseCache;
  /** Forgets all: versions that were undone come again with other content. */
  clear(): void;
  /** How many databases have been read from the store. */
  loads(): number;
  readonly counts: CacheCounts;
}

type RelatedDatabases = ReadonlyMap<string, ReadDatabase>;

const MAX_DATABASES = 500;
/** Bytes of the databases in the cache, about: a process has room for so many. */
const MAX_BYTES = 100_000_000;
/** Bytes of a parsed document for each character of it, about. */
const BYTES_OF_DOC = 4;
/** Bytes of a compiled expression for each character of it, at most about. */
const BYTES_OF_EXPRESSION = 200;
/** Characters of related databases that are read: as many as one database can name itself. */
const MAX_RELATED_LENGTH = 250 * LIMITS.schemaBytes;

/** Creates an empty cache. */
export function createDatabaseCache(store: NodeReader): DatabaseCache {
  const databases = new LRUCache<string, Database>({
    max: MAX_DATABASES,
    maxSize: MAX_BYTES,
  });
  const counts = { hits: 0, misses: 0 };
  let loads = 0;
  const over = (store: NodeReader): DatabaseCache => ({
    counts,
    over,
    loadRelated: (workspace, ids) => loadRelated(store, workspace, ids),
    clear: () => databases.clear(),
    loads: () => loads,
    async find(workspace, id) {
      const key = `${workspace}\n${id}`;
      const cached = databases.get(key);
      const isUsable = cached !== undefined && await isCurrent(store, workspace, cached);
      const current = countAnswer(counts, isUsable ? cached : undefined);
      if (current !== undefined) return current;
      const related = await loadRelated(store, workspace, [id]);
      // Only now: a statement that began long ago may have read what was written since.
      const database = toDatabase(id, related, ++loads);
      if (database === undefined) return undefined;
      const length = await withRests(compileDatabase(database), createRest());
      databases.set(key, database, { size: bytesOf(database, length) });
      return database;
    },
  });
  return over(store);
}

/** Returns a database as it will be once it is stored: `known` are databases that it may depend on. */
export function withPendingSchema(database: ReadDatabase, known: Related): Database {
  const related = dependencies(database, known);
  const compile = createPropertyCompiler(schemas(related));
  return { ...database, related, compile, since: Infinity };
}

/** Returns the databases that `loadRelated` would find if the database were stored. */
function dependencies(database: ReadDatabase, known: Related): Related {
  const related = new Map<string, StoredDatabase>();
  let found: StoredDatabase[] = [database];
  for (let level = 0; level <= LIMITS.formulaDepth && found.length > 0; level++) {
    for (const one of found) related.set(one.node.id, one);
    const wanted = wantedBehind(found, related, level).slice(
      0,
      LIMITS.relatedDatabases - related.size,
    );
    found = wanted.flatMap((id) => known.get(id) ?? []);
  }
  return related;
}

function toDatabase(
  id: string,
  related: RelatedDatabases,
  since: number,
): Database | undefined {
  const database = related.get(id);
  const compile = createPropertyCompiler(schemas(related));
  return database && { ...database, related, compile, since };
}

/** Compiles what the values of a database's rows are computed with, in steps. Returns its length. */
export function compileDatabase(
  { node: { id }, doc, related, compile }: Database,
): Generator<void, number, void> {
  return compileSteps(id, doc.properties, { compile, schemaOf: schemas(related) });
}

function bytesOf({ related }: Database, expressions: number): number {
  return lengthOf(related.values()) * BYTES_OF_DOC + expressions * BYTES_OF_EXPRESSION + 1;
}

function lengthOf(databases: Iterable<StoredDatabase>): number {
  let length = 0;
  for (const { node } of databases) length += node.doc.length;
  return length;
}

function schemas(related: Related): (databaseId: string) => Schema | undefined {
  return (id) => related.get(id)?.doc.properties;
}

function isCurrent(
  store: NodeReader,
  workspace: string,
  { related }: Database,
): Promise<boolean> {
  return areCurrent(store, workspace, [...related.values()].map(({ node }) => node));
}

/** Reads level by level, with one query for each level of relations, as far as there is room. */
async function loadRelated(
  store: NodeReader,
  workspace: string,
  ids: readonly string[],
): Promise<RelatedDatabases> {
  const related = new Map<string, ReadDatabase>();
  const rest = createRest();
  let length = 0;
  let wanted = ids;
  for (let level = 0; level <= LIMITS.formulaDepth && wanted.length > 0; level++) {
    const found: ReadDatabase[] = [];
    const first = wanted.slice(0, LIMITS.relatedDatabases - related.size);
    for await (const nodes of nodePortions(store, workspace, first)) {
      if (length > MAX_RELATED_LENGTH) break;
      for (const node of nodes) {
        length += node.doc.length;
        if (node.kind === "database") found.push({ node, doc: parseDatabaseDoc(node.doc) });
        await rest();
      }
    }
    for (const database of found) related.set(database.node.id, database);
    wanted = wantedBehind(found, related, level);
  }
  return related;
}

/** Returns the databases to find after those of a level; `related` are all that were found. */
function wantedBehind(
  found: readonly StoredDatabase[],
  related: Related,
  level: number,
): string[] {
  // Only formulas and rollups show values from beyond a related database.
  const isComputing = [...related.values()].some(({ doc }) => doc.properties.some(isComputed));
  const next = level === 0 || isComputing ? found.flatMap(relatedTo) : [];
  return [...new Set(next)].filter((id) => !related.has(id));
}

function relatedTo({ doc }: StoredDatabase): string[] {
  return doc.properties.flatMap((property) =>
    property.type === "relation" ? [property.databaseId] : []
  );
}
