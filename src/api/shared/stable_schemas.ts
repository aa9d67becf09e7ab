/**
 * Reads rows and the schemas of their databases as if at one moment.
 *
 * @module
 */
import { AppError } from "../../shared/errors.ts";
import type { Database } from "./database_cache.ts";
import type { ReplyCache } from "./reply_cache.ts";
import type { Services } from "./services.ts";
import { areCurrent, type VersionedNode } from "./versions.ts";

/** Attempts to read while others change schemas. */
const ATTEMPTS = 6;

/** One attempt of a read. */
export interface SchemaReading {
  /** With databases that are the same for the whole attempt. */
  readonly services: Services;
  /** Tells that the result holds even if schemas changed: it shows only what was checked before. */
  waive(): void;
}

export interface StableSchemaOptions {
  /** True if rows are read before the read knows their databases. */
  readonly rowsFirst?: boolean;
}

/**
 * Calls `read` until the databases that it finds stay as they are: a row that is read before or after a
 * change of its schema may not fit it. Throws `service_unavailable` if they change again and again.
 */
export async function withStableSchemas<T>(
  services: Services,
  workspace: string,
  read: (reading: SchemaReading) => Promise<T>,
  { rowsFirst = false }: StableSchemaOptions = {},
): Promise<T> {
  const shapes = new Map<string, Set<string>>();
  let known: ReadonlyMap<string, Database> = new Map();
  for (let attempt = 1;; attempt++) {
    const reading = startReading(services, known);
    const outcome = await outcomeOf(() => read(reading));
    const { isWaived, used, isNew, keep } = reading.state();
    const isCurrent = isWaived || await areUnchanged(services, workspace, used);
    if (isCurrent && !(rowsFirst && isNew)) {
      keep();
      return outcome();
    }
    // Rows that are read from now on are newer than these schemas.
    known = await findAgain(services, workspace, used.keys());
    for (const [id, database] of [...used, ...known]) {
      shapes.getOrInsertComputed(id, () => new Set()).add(shapeOf(database));
    }
    if (attempt < ATTEMPTS) continue;
    // Writes of rows may add options all the time, which other rows fit as well.
    if ([...shapes.values()].every(({ size }) => size === 1)) return outcome();
    throw schemasChange();
  }
}

async function findAgain(
  { databases }: Services,
  workspace: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, Database>> {
  const found = await Promise.all([...ids].map((id) => databases.find(workspace, id)));
  return new Map(found.flatMap((database) => database ? [[database.node.id, database]] : []));
}

interface ReadingState {
  readonly isWaived: boolean;
  readonly used: ReadonlyMap<string, Database>;
  /** True if a schema may have been read from the store after the attempt began. */
  readonly isNew: boolean;
  /** Caches the rows that were printed. */
  readonly keep: () => void;
}

function startReading(
  services: Services,
  known: ReadonlyMap<string, Database>,
): SchemaReading & { readonly state: () => ReadingState } {
  const { databases, rowTexts } = services;
  const used = new Map<string, Database>();
  const printed: Parameters<ReplyCache["store"]>[] = [];
  const start = databases.loads();
  let isWaived = false;
  const find = async (workspace: string, id: string): Promise<Database | undefined> => {
    const found = used.get(id) ?? known.get(id) ?? await databases.find(workspace, id);
    if (found !== undefined) used.set(id, found);
    return found;
  };
  return {
    services: {
      ...services,
      databases: { ...databases, find },
      rowTexts: {
        ...rowTexts,
        store: (...entry) => {
          printed.push(entry);
          return entry[2];
        },
      },
    },
    waive: () => isWaived = true,
    state: () => ({
      isWaived,
      used,
      isNew: [...used.values()].some(({ since }) => since > start),
      keep: () => printed.forEach((entry) => rowTexts.store(...entry)),
    }),
  };
}

/** Returns what returns or throws the result, for errors that a half-changed schema may cause. */
async function outcomeOf<T>(read: () => Promise<T>): Promise<() => T> {
  try {
    const result = await read();
    return () => result;
  } catch (error) {
    if (error instanceof AppError) throw error;
    return () => {
      throw error;
    };
  }
}

async function areUnchanged(
  { store }: Services,
  workspace: string,
  used: ReadonlyMap<string, Database>,
): Promise<boolean> {
  if (used.size === 0) return true;
  const nodes = new Map<string, VersionedNode>();
  for (const database of used.values()) {
    for (const { node } of [...database.related.values(), database]) {
      // Two readings of one database, of which one must be outdated.
      if ((nodes.get(node.id) ?? node).version !== node.version) return false;
      nodes.set(node.id, node);
    }
  }
  return await areCurrent(store, workspace, [...nodes.values()]);
}

/** Tells which values the rows of a database have, apart from their options. */
function shapeOf({ doc }: Database): string {
  return JSON.stringify(doc.properties.map(({ id, type }) => [id, type]));
}

function schemasChange(): AppError {
  return new AppError(
    "service_unavailable",
    "The properties of a database were changed by other requests while it was read: try again",
    { headers: { "retry-after": "1" } },
  );
}
