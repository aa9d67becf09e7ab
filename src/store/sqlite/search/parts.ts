/**
 * Writing the parts of pages: their words as they are kept, and by term.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import { overlapsOf } from "../../../search/text/overlaps.ts";
import { partLength, segmentsOf } from "../../../search/text/parts.ts";
import { type ChangedPart, PARTS, type StoredPart, TITLED } from "../../search_parts.ts";
import { type Query, query } from "../query.ts";
import { createIndexedReader, createIndexedWriter } from "./codes.ts";
import { coded, codedOverlaps, codedTexts, titleCode } from "./expressions.ts";

type Row = readonly [
  no: number,
  pageId: string,
  place: string,
  title: string,
  body: string,
];

const COLUMNS = "p.no, p.page_id, p.place, p.title, p.body";

export interface WantedParts {
  readonly ids: readonly string[];
  readonly isTitled: boolean;
}

export interface PartTable {
  /** The parts of a page in order. */
  all(workspace: string, pageId: string): StoredPart[];
  /** The parts with text of these nodes or of the page's title, and the last part. */
  some(workspace: string, pageId: string, wanted: WantedParts): StoredPart[];
  /** The last part of a page alone. */
  last(workspace: string, pageId: string): StoredPart[];
  /** The parts of those of these pages that have one part, by page. */
  single(workspace: string, pageIds: readonly string[]): ReadonlyMap<string, StoredPart>;
  /** Returns a function that returns the first number of each new page. */
  newNumbers(): () => number;
  /** Writes new parts, and replaces those that were stored before. */
  save(workspace: string, changed: readonly ChangedPart[]): void;
}

/** Prepares the statements on parts. */
export function createPartTable(db: DatabaseSync): PartTable {
  const from = "FROM search_parts p WHERE p.workspace_id = ? AND p.page_id = ?";
  const all: Query<Row> = query(db, `SELECT ${COLUMNS} ${from} ORDER BY p.no`);
  const last: Query<Row> = query(db, `SELECT ${COLUMNS} ${from} ORDER BY p.no DESC LIMIT 1`);
  const two: Query<Row> = query(db, `SELECT ${COLUMNS} ${from} ORDER BY p.no LIMIT 2`);
  const some: Query<Row> = query(
    db,
    `SELECT ${COLUMNS} FROM search_parts p WHERE p.workspace_id = ?1 AND p.page_id = ?2 AND (
      p.no = (SELECT max(l.no) FROM search_parts l WHERE l.workspace_id = ?1 AND l.page_id = ?2)
      OR ?3 AND (p.no % ${PARTS} < ${TITLED} OR p.title <> '')
      OR EXISTS (SELECT 1 FROM json_each(?4) wanted WHERE instr(p.body, wanted.value || char(10)))
    ) ORDER BY p.no`,
  );
  const single: Query<Row> = query(
    db,
    `SELECT ${COLUMNS} FROM json_each(?2) wanted
    CROSS JOIN search_parts p ON p.workspace_id = ?1 AND p.page_id = wanted.value
      AND p.no % ${PARTS} = 0
    WHERE NOT EXISTS (
      SELECT 1 FROM search_parts s
      WHERE s.workspace_id = p.workspace_id AND s.page_id = p.page_id AND s.no > p.no
    )`,
  );
  // Numbers are unique in the whole file, as FTS5 has it.
  const highest: Query<[number | null]> = query(db, "SELECT max(no) FROM search_parts");
  return {
    all: (workspace, pageId) => all.all(workspace, pageId).map(toPart),
    some(workspace, pageId, { ids, isTitled }) {
      // Most pages have one part, which is the last.
      const first = two.all(workspace, pageId);
      const rows = first.length < 2
        ? first
        : some.all(workspace, pageId, isTitled ? 1 : 0, JSON.stringify(ids));
      return rows.map(toPart);
    },
    last: (workspace, pageId) => last.all(workspace, pageId).map(toPart),
    single(workspace, pageIds) {
      const rows = pageIds.length === 0 ? [] : single.all(workspace, JSON.stringify(pageIds));
      return new Map(rows.map((row) => [row[1], toPart(row)]));
    },
    newNumbers() {
      let last: number | undefined;
      return () => {
        last ??= highest.get()?.[0] ?? 0;
        last = (Math.floor(last / PARTS) + 1) * PARTS;
        return last;
      };
    },
    save: createSave(db),
  };
}

/** Prepares the statements that write parts. */
function createSave(db: DatabaseSync): PartTable["save"] {
  const lengthOf: Query<[number]> = query(
    db,
    "SELECT length FROM search_parts WHERE workspace_id = ? AND no = ?",
  );
  const add = db.prepare(`
    INSERT INTO search_parts (no, workspace_id, page_id, place, title, body, length)
    VALUES (?, ?, ?, ?, ?, ?, ?)
  `);
  const change = db.prepare(
    `UPDATE search_parts SET place = ?3, title = ?4, body = ?5, length = ?6
    WHERE workspace_id = ?1 AND no = ?2`,
  );
  const count = createIndexedWriter(db);
  const indexed = createIndexedReader(db);
  const words = createWordWriter(db);
  return (workspace, changed) => {
    if (changed.length === 0) return;
    const measured = changed.map(({ part, before }) => {
      const stored = before === undefined ? undefined : lengthOf.get(workspace, part.no);
      return { part, before, length: partLength(part), lengthBefore: stored?.[0] ?? 0 };
    });
    count(workspace, {
      parts: changed.filter(({ before }) => before === undefined).length,
      length: measured.reduce((sum, one) => sum + one.length - one.lengthBefore, 0),
    });
    const code = indexed(workspace)?.code ?? "";
    for (const { part, before, length } of measured) {
      const { no, pageId, place, title, body } = part;
      if (before === undefined) {
        add.run(no, workspace, pageId, place, title, body, length);
      } else {
        change.run(workspace, no, place, title, body, length);
        words.remove(no);
      }
      words.insert(code, part);
    }
  };
}

function toPart([no, pageId, place, title, body]: Row): StoredPart {
  return { no, pageId, place, title, body };
}

interface WordWriter {
  /** Indexes a part of the workspace with this code. */
  insert(code: string, part: StoredPart): void;
  remove(no: number): void;
}

function createWordWriter(db: DatabaseSync): WordWriter {
  const insert = db.prepare(
    "INSERT INTO search_words (rowid, place, title, body) VALUES (?, ?, ?, ?)",
  );
  const remove = db.prepare("DELETE FROM search_words WHERE rowid = ?");
  return {
    insert(code, { no, place, title, body }) {
      const texts = segmentsOf(body).map(({ words }) => words);
      // Titles are indexed a second time by themselves, so that a search in titles reads no bodies.
      const apart = coded(code, place) + coded(titleCode(code), title);
      const overlaps = codedOverlaps(code, overlapsOf([title, ...texts], "all")) +
        codedOverlaps(titleCode(code), overlapsOf([title], "all"));
      // Positions in the first column take the fewest bytes.
      insert.run(no, apart + overlaps, coded(code, title), codedTexts(code, texts));
    },
    remove: (no) => void remove.run(no),
  };
}
