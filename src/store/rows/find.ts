/**
 * Rows of databases in the order of a query.
 *
 * @module
 */
import type { Place, RowQuery } from "../../content/query/filter.ts";
import { comparePlaces } from "../../content/query/order.ts";
import { tighten } from "../../content/query/tighten.ts";
import type { FoundRow } from "../port.ts";
import type { NodeView } from "../../content/node.ts";
import type { Plan } from "./reading.ts";
import type { Search } from "./stage.ts";
import { visit } from "./visit.ts";

/** Finds the places of one page of rows. */
export function* findPlaces(
  workspace: string,
  { databaseId, inTrash, sorts, limit, after, ...query }: RowQuery,
  parts: Pick<Search, "dialect" | "few" | "pace" | "work">,
): Plan<readonly Place[]> {
  const filter = query.filter && tighten(query.filter);
  const realm = { workspace, databaseId, inTrash };
  const compare = comparePlaces(sorts);
  const search: Search = { ...parts, realm, sorts, compare, limit, judged: new Map(), places: [] };
  yield* visit(search, { fixed: [], filter, after, width: 1 });
  return search.places;
}

/** The places with their rows; a row that is gone by now is left out. */
export function withNodes(places: readonly Place[], nodes: readonly NodeView[]): FoundRow[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return places.flatMap((place) => {
    const node = byId.get(place.id);
    return node === undefined ? [] : [{ node, place }];
  });
}
