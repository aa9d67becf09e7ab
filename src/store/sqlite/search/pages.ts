/**
 * Updating the parts of pages that changed.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { linesOf } from "../../../search/text/parts.ts";
import { portionsByLength } from "../../../shared/portions.ts";
import { ancestorMark, kindMark, parentMark } from "../../search_marks.ts";
import {
  type ChangedPart,
  FEW,
  type Lines,
  movedPlace,
  newParts,
  type StoredPart,
  updatedParts,
} from "../../search_parts.ts";
import { type Query, query } from "../query.ts";
import type { TextComment } from "./comment_texts.ts";
import type { TextNode } from "./node_texts.ts";
import { createPartTable } from "./parts.ts";

export interface PageWriter {
  /**
   * Brings the parts of pages up to date with these nodes and comments of each, the page itself
   * perhaps among them.
   */
  write(workspace: string, nodesOf: NodesOfPages): void;
  /**
   * Gives a page, and all pages and databases below it, the marks of their current place, but for `from`
   * that have them. Each step yields how many do.
   */
  move(workspace: string, pageId: string, from?: number): Generator<number, void, void>;
  /**
   * Gives the further parts of a page its new title. The first has it with the page's other words, which
   * `write()` writes.
   */
  retitle(workspace: string, pageId: string, title: string): Generator<void, void, void>;
}

/** Nodes and comments by the page or database that their words are found in. */
export type NodesOfPages = ReadonlyMap<string, readonly (TextNode | TextComment)[]>;

/** UTF-16 code units of the parts of a page that one step writes. */
const STEP = 250_000;

/** Prepares the statements that write pages. */
export function createPageWriter(db: DatabaseSync): PageWriter {
  const parts = createPartTable(db);
  const placeOf = createPlaceReader(db);
  const below = createBelowReader(db);
  const read = (
    workspace: string,
    pageId: string,
    nodes: readonly (TextNode | TextComment)[],
  ): StoredPart[] => {
    const isTitled = nodes.some(({ id }) => id === pageId);
    // New nodes are in no part yet, and only the last part takes them.
    if (!isTitled && nodes.every(({ isNew }) => isNew)) return parts.last(workspace, pageId);
    if (nodes.length > FEW) return parts.all(workspace, pageId);
    return parts.some(workspace, pageId, { ids: nodes.map(({ id }) => id), isTitled });
  };
  /** Most pages of a change of many have one part: those are read at once. */
  const readAll = (workspace: string, nodesOf: NodesOfPages): (pageId: string) => StoredPart[] => {
    const indexed = new Map(
      nodesOf.entries().filter(([id, nodes]) => !pageIn(nodes, id)?.isUnindexed),
    );
    const single = parts.single(workspace, indexed.size > 1 ? [...indexed.keys()] : []);
    return (pageId) => {
      const nodes = indexed.get(pageId);
      if (nodes === undefined) return [];
      const only = single.get(pageId);
      return only === undefined ? read(workspace, pageId, nodes) : [only];
    };
  };
  return {
    write(workspace, nodesOf) {
      const storedOf = readAll(workspace, nodesOf);
      const nextNo = parts.newNumbers();
      const places = new Map<string, string>();
      const toNew = (page: TextNode, lines: Lines): ChangedPart[] => {
        const { id: pageId, kind, parentId, title } = page;
        // Most new pages of a transaction are rows of one database.
        const place = places.getOrInsertComputed(
          `${kind} ${parentId}`,
          () => placeOf(workspace, page),
        );
        return newParts({ no: nextNo(), pageId, place, title }, lines);
      };
      const changed = [...nodesOf].flatMap(([pageId, nodes]) => {
        const page = pageIn(nodes, pageId);
        const lines = new Map(nodes.map(({ id, texts }) => [id, linesOf(id, texts)]));
        const stored = storedOf(pageId);
        if (stored.length > 0) return updatedParts({ stored, title: page?.title, lines });
        return page === undefined ? [] : toNew(page, lines);
      });
      // FTS5 writes out all that it holds whenever it is given a lower number than the last.
      parts.save(workspace, changed.sort((a, b) => a.part.no - b.part.no));
    },
    *move(workspace, root, from = 0) {
      const pages = below.all(workspace, root).slice(from);
      for (const [index, [pageId, kind, parentId]] of pages.entries()) {
        const place = placeOf(workspace, { kind, parentId });
        const moved = parts.all(workspace, pageId)
          .map((part) => ({ part: { ...part, place: movedPlace(part, place) }, before: part }))
          // A page that was interrupted may have some.
          .filter(({ part, before }) => part.place !== before.place);
        for (const some of stepsOf(moved)) {
          parts.save(workspace, some);
          yield from + index;
        }
      }
    },
    *retitle(workspace, pageId, title) {
      const [, ...further] = parts.some(workspace, pageId, { ids: [], isTitled: true });
      for (const some of stepsOf(updatedParts({ stored: further, title, lines: new Map() }))) {
        parts.save(workspace, some);
        yield;
      }
    },
  };
}

function stepsOf(changed: readonly ChangedPart[]): ChangedPart[][] {
  return portionsByLength(changed, ({ part }) => part.body.length, STEP);
}

function pageIn(nodes: readonly (TextNode | TextComment)[], pageId: string): TextNode | undefined {
  return nodes.find((one): one is TextNode => one.id === pageId);
}

/** Prepares the statement that lists a page and all pages and databases below it. */
function createBelowReader(db: DatabaseSync): Query<PageRef> {
  return query(
    db,
    `WITH RECURSIVE below (id) AS (
      SELECT ?2
      UNION ALL
      SELECT n.id FROM below CROSS JOIN nodes n ON n.workspace_id = ?1 AND n.parent_id = below.id
    )
    SELECT n.id, n.kind, n.parent_id FROM below
    CROSS JOIN nodes n ON n.workspace_id = ?1 AND n.id = below.id AND n.kind <> 'block'`,
  );
}

type PageRef = readonly [id: string, kind: TextNode["kind"], parentId: string];

/** Prepares the reader of a page's marks. */
function createPlaceReader(
  db: DatabaseSync,
): (workspace: string, page: Pick<TextNode, "kind" | "parentId">) => string {
  // `UNION` visits no node twice, so that the walk ends in a damaged tree that is circular, too.
  const above: Query<[string]> = query(
    db,
    `WITH RECURSIVE above (id) AS (
      SELECT ?2
      UNION
      SELECT n.parent_id FROM above
      CROSS JOIN nodes n ON n.workspace_id = ?1 AND n.id = above.id
    )
    SELECT id FROM above WHERE id <> ''`,
  );
  return (workspace, { kind, parentId }) => {
    const ids = parentId === "" ? [] : above.all(workspace, parentId).map(([id]) => id);
    const marks = [
      kindMark(kind),
      ...(parentId === "" ? [] : [parentMark(parentId)]),
      ...ids.map(ancestorMark),
    ];
    return ` ${marks.join(" ")} `;
  };
}
