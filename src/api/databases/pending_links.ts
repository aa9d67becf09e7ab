/**
 * Links of rows as they will be once the changes of a request are committed.
 *
 * @module
 */
import type { Related } from "../../content/schema/database.ts";
import type { Change } from "../../content/schema/node.ts";
import type { LinkSide, PropertyOf } from "../../content/schema/property.ts";
import type { NodeReader, RowReader } from "../../store/port.ts";

type ReadLinks = RowReader["links"];

interface PendingChanges {
  /** Changes of one row, which are not committed yet. */
  readonly changes: readonly Change[];
  /** The databases whose relations are read. */
  readonly related: Related;
}

/** Returns a function that reads links as they will be after the changes. */
export async function withPendingLinks(
  store: Pick<NodeReader, "below"> & Pick<RowReader, "links">,
  workspace: string,
  { changes, related }: PendingChanges,
): Promise<ReadLinks> {
  const { links } = store;
  const pending = changes.filter((change) => change.op === "link" || change.op === "trash");
  const restored = changes.find((change) => change.op === "restore")?.id;
  const trashed = changes.find((change) => change.op === "trash")?.id;
  const emptied = trashed === undefined
    ? undefined
    : await relationsInto(store, workspace, { related, root: trashed });
  return async (workspace, query, rest) => {
    if (emptied?.has(keyOf(query))) return new Map();
    const relevant = pending.filter((change) =>
      change.op === "trash" || (change.op === "link" && change.relationId === query.relationId)
    );
    const given = givenIn(relevant, query.side);
    const ids = query.ids.filter((id) => !given.has(id));
    const shown = ids.length === 0
      ? new Map<string, string[]>()
      : await links(workspace, { ...query, ids, ...(restored && { restored }) }, rest);
    for (const change of relevant) {
      for (const id of query.ids) {
        shown.set(id, linksAfter(change, query.side, { id, others: shown.get(id) ?? [] }));
        await rest?.();
      }
    }
    return shown;
  };
}

interface TrashedTree {
  readonly related: Related;
  readonly root: string;
}

/** Returns the sides of relations that show rows of databases below a node, which are trashed with it. */
async function relationsInto(
  store: Pick<NodeReader, "below">,
  workspace: string,
  { related, root }: TrashedTree,
): Promise<ReadonlySet<string>> {
  const relations = [...related.values()].flatMap(({ doc }) =>
    doc.properties.filter((property) => property.type === "relation")
  );
  const ids = [...new Set(relations.map(({ databaseId }) => databaseId))];
  const below = await store.below(workspace, ids, root);
  return new Set(relations.filter(({ databaseId }) => below.has(databaseId)).map(keyOf));
}

function keyOf({ relationId, side }: Pick<PropertyOf<"relation">, "relationId" | "side">): string {
  return `${side} ${relationId}`;
}

type LinkChange = Extract<Change, { readonly op: "link" | "trash" }>;

/** Returns the rows whose links on this side are set by a change: the stored ones do not matter. */
function givenIn(changes: readonly LinkChange[], side: LinkSide): ReadonlySet<string> {
  return new Set(
    changes.flatMap((change) => change.op === "link" && change.side === side ? [change.id] : []),
  );
}

interface LinkedRow {
  readonly id: string;
  /** The rows at the other end, in the order in which they are read. */
  readonly others: string[];
}

function linksAfter(
  change: LinkChange,
  side: LinkSide,
  { id, others }: LinkedRow,
): string[] {
  if (change.op === "trash") return without(others, change.id);
  if (change.side !== side) {
    return change.others.includes(id)
      ? withOther(others, change.id, side)
      : without(others, change.id);
  }
  if (change.id !== id) return others;
  return side === "to" ? change.others.toSorted() : [...change.others];
}

function without(others: string[], id: string): string[] {
  return others.includes(id) ? others.filter((other) => other !== id) : others;
}

/** Adds a row where the store would: behind the others on the side `from`, by ID on the side `to`. */
function withOther(others: string[], id: string, side: LinkSide): string[] {
  if (others.includes(id)) return others;
  const next = side === "to" ? others.findIndex((other) => other > id) : -1;
  return others.toSpliced(next < 0 ? others.length : next, 0, id);
}
