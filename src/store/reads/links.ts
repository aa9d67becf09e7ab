/**
 * Links of rows, in slices if there are many of them.
 *
 * @module
 */
import type { LinkSide } from "../../content/schema/property.ts";
import type { RowReader } from "../port.ts";
import { sortInSlices } from "../../shared/sort_in_slices.ts";
import type { Method } from "./reads.ts";
import type { Link, RowReads } from "./rows.ts";

/** The shared reads of links as methods. */
export interface LinkMethods {
  readonly fewLinks: Method<RowReads["fewLinks"]>;
  readonly nextLinks: Method<RowReads["nextLinks"]>;
}

/** Reads all links at once if they are few, else row by row and slice by slice. */
export function createLinkReader({ fewLinks, nextLinks }: LinkMethods): RowReader["links"] {
  return async (workspace, query, rest) => {
    const { ids, restored, ...side } = query;
    const isShown = ({ trashRoot }: Link) => trashRoot === null || trashRoot === restored;
    const few = await fewLinks(workspace, query);
    if (few !== undefined) return grouped(few.filter(isShown), query.side);
    const others = new Map<string, string[]>();
    for (const id of new Set(ids)) {
      const links: Link[] = [];
      for (let isLast = false, after = ""; !isLast; await rest?.()) {
        const next = await nextLinks(workspace, { ...side, id, after });
        for (const link of next.links) if (isShown(link)) links.push(link);
        after = next.links.at(-1)?.other ?? after;
        isLast = next.isLast;
      }
      const ordered = await sortInSlices(links, ORDERS[query.side], rest);
      if (ordered.length > 0) others.set(id, ordered.map(({ other }) => other));
      await rest?.();
    }
    return others;
  };
}

/** The IDs at the other end, in display order, by the ID of the row. */
function grouped(links: readonly Link[], side: LinkSide): Map<string, string[]> {
  const byRow = Map.groupBy(links, ({ id }) => id);
  return new Map(
    [...byRow].map(([id, ofRow]) => [id, ofRow.sort(ORDERS[side]).map(({ other }) => other)]),
  );
}

const byOther = (a: Link, b: Link) => a.other < b.other ? -1 : Number(a.other > b.other);

const ORDERS = {
  from: (a: Link, b: Link) => a.ordinal - b.ordinal || byOther(a, b),
  to: byOther,
};
