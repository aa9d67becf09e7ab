/**
 * Finds pages and databases by their words.
 *
 * @module
 */
import { fittingParts, partsOfFittingPages } from "../../../search/text/candidates.ts";
import { MOST_TEXT, MOST_WORDS } from "../../../search/text/parts.ts";
import type { PageWords, WordMatch, WordMatches, WordQuery } from "../../port.ts";
import { MANY, marksOf } from "../../search_marks.ts";
import { PARTS, TITLED } from "../../search_parts.ts";
import type { Parameter, Query, ReadPlan } from "../../reads/query.ts";
import { SOURCE } from "../reader.ts";
import { all, any, codeOf, marked, phrased, textOf } from "./expressions.ts";
import { NOT_TRASHED } from "./in_trash.ts";
import { BY_WORDS } from "./planning.ts";

type Row = readonly [
  no: number,
  pageId: string,
  title: string,
  body: string,
  length: number,
  isMany: boolean,
  /** Bytes of the bodies up to this one. */
  bytes: number,
];

const COLUMNS = `p.no, p.page_id, CASE
  WHEN p.no % ${PARTS} < ${TITLED} OR p.title <> '' THEN p.title
  ELSE coalesce((
    SELECT f.title FROM search_parts f
    WHERE f.workspace_id = $1 AND f.no = p.no - p.no % ${PARTS} AND f.page_id = p.page_id
  ), '')
END, p.body, p.length, strpos(p.place, ' ${MANY} ') > 0, p.bytes`;

interface PartList {
  /** The parts, as a query. */
  readonly from: string;
  readonly order: string;
  /** Bytes of their bodies. */
  readonly most: string;
}

/** Selects the first parts of a list, up to the one with which their bodies have so many bytes. */
function firstOf({ from, order, most }: PartList): Query<Row> {
  return SOURCE.query(
    `SELECT ${COLUMNS} FROM (
      SELECT p.*, sum(octet_length(p.body)) OVER (
        ORDER BY ${order} ROWS UNBOUNDED PRECEDING
      ) AS bytes
      FROM (${from}) p
    ) p
    WHERE p.bytes - octet_length(p.body) < ${most} ORDER BY ${order}`,
  );
}

const PART = "p.no, p.page_id, p.place, p.title, p.body, p.length";

const ASKED = `
  FROM search_parts p
  WHERE p.workspace_id = $1 AND p.terms @@ $2::tsquery AND p.no >= $3 AND p.no < $4
    AND ${NOT_TRASHED}
`;
const IN_PART = "strpos(p.title, text) > 0 OR strpos(p.body, text) > 0";

/** Selects parts that have all or any of the texts, newest first. */
function inOnePart(together: "bool_and" | "bool_or", has: string): Query<Row> {
  return firstOf({
    from: `SELECT ${PART} ${ASKED}
      AND coalesce((SELECT ${together}(${has}) FROM unnest($6::text[]) asked (text)), true)
    ORDER BY p.no DESC LIMIT $5`,
    order: "p.no DESC",
    most: `${MOST_TEXT}`,
  });
}

const inPart = { all: inOnePart("bool_and", IN_PART), any: inOnePart("bool_or", IN_PART) };
const inTitles = {
  all: inOnePart("bool_and", "strpos(p.title, text) > 0"),
  any: inOnePart("bool_or", "strpos(p.title, text) > 0"),
};
/** Selects pages that have every text, each in any part. */
const spread = SOURCE.query<[no: number, id: string]>(`
  SELECT p.no / ${PARTS}, p.page_id ${
  ASKED.replace(
    "WHERE",
    `JOIN unnest($6::text[]) WITH ORDINALITY asked (text, place) ON ${IN_PART}\n  WHERE`,
  )
}
  GROUP BY 1, 2 HAVING count(DISTINCT asked.place) = cardinality($6::text[])
  ORDER BY 1 DESC LIMIT $5
`);
const ofPages = firstOf({
  from: `SELECT ${PART}, wanted.position
  FROM unnest($2::text[]) WITH ORDINALITY wanted (id, position)
  JOIN search_parts p ON p.workspace_id = $1 AND p.page_id = wanted.id
  WHERE wanted.position > 1 OR p.no % ${PARTS} >= $3`,
  order: "p.position, p.no",
  most: "$4",
});

/** Finds parts of pages by their words. Runs in a transaction of its own. */
export function* findWords(workspace: string, wanted: WordQuery): ReadPlan<WordMatches> {
  const { phrases, match, scope, inTitle = false, limit } = wanted;
  const from = wanted.from ?? 0;
  const before = Math.floor(wanted.before ?? Number.MAX_SAFE_INTEGER / PARTS);
  const code = codeOf(workspace);
  const expressions = phrases.map((phrase) => phrased(code, phrase)).map((one) => `(${one})`);
  const places = marksOf(scope).map((mark) => marked(code, mark));
  const texts = phrases.map(textOf);
  const words = expressions.length === 0
    ? []
    : [match === "all" ? all(expressions) : any(expressions)];
  const within = all([...words, ...places]);
  const parts = (inTitle ? inTitles : inPart)[match];
  const [, found] = yield [
    { text: BY_WORDS, values: [] },
    parts.question([workspace, within, from * PARTS, before * PARTS, limit, texts]),
  ];
  const rows = parts.rowsOf(found);
  const whole = rows.map(toMatch);
  const rest = whole.length < limit && !isFull(rows, MOST_TEXT)
    ? undefined
    : whole.at(-1)?.no ?? from;
  const isChecked = texts.includes("");
  const checked = isChecked
    ? yield* pausing(fittingParts(whole, phrases, { match, inTitle }))
    : whole;
  if (match === "any" || inTitle || phrases.length < 2) return { matches: checked, rest };
  const many = all([any(expressions), marked(code, MANY), ...places]);
  const pages = yield* spread.all(
    [workspace, many, (rest ?? from) * PARTS, before * PARTS, limit, texts],
    (row) => row,
  );
  const known = new Set(checked.map(({ id }) => id));
  const others = pages.filter(([, id]) => !known.has(id));
  const answer = yield* readParts(workspace, others.map(([, id]) => id), { most: MOST_TEXT });
  const { next } = answer;
  let read = answer.parts.filter(({ id }) => id !== next?.id);
  // A page that is too long to be read is found by a part with each word.
  if (next !== undefined && read.length === 0) {
    const [[no] = [0]] = others;
    read = yield* partOfEach(expressions.map((one, index) => [
      ...[workspace, all([one, marked(code, MANY), ...places])],
      ...[no * PARTS, (no + 1) * PARTS, 1, texts.slice(index, index + 1)],
    ]));
  }
  const further = yield* pausing(partsOfFittingPages(read, isChecked ? phrases : []));
  const pagesRest = next === undefined
    ? pages.length < limit ? undefined : pages.at(-1)?.[0]
    : read.at(-1)?.no;
  const lowest = Math.max(rest ?? from, pagesRest ?? from);
  return {
    matches: [...checked, ...further].filter(({ no }) => no >= lowest).sort((a, b) => b.no - a.no),
    rest: rest === undefined && pagesRest === undefined ? undefined : lowest,
  };
}

/** Follows steps of a computation; a reader pauses where it is asked nothing. */
function* pausing<T>(steps: Generator<void, T, void>): ReadPlan<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield [];
  }
}

/** Reads the parts of these pages, as many as fit into an answer. */
export function readWords(
  workspace: string,
  ids: readonly string[],
  from?: number,
): ReadPlan<PageWords> {
  return readParts(workspace, ids, { from, most: MOST_WORDS });
}

interface PartRange {
  /** The first part of the first page. */
  readonly from?: number | undefined;
  /** Bytes of their bodies. */
  readonly most: number;
}

function* readParts(
  workspace: string,
  ids: readonly string[],
  { from = 0, most }: PartRange,
): ReadPlan<PageWords> {
  if (ids.length === 0) return { parts: [], next: undefined };
  const rows = yield* ofPages.all([workspace, ids, from, most], (row) => row);
  const [no = 0, id = ""] = rows.at(-1) ?? [];
  const next = isFull(rows, most) ? { id, part: no % PARTS + 1 } : undefined;
  return { parts: rows.map(toMatch), next };
}

/** Reads the part for each question, until their texts are long. */
function* partOfEach(questions: readonly (readonly Parameter[])[]): ReadPlan<WordMatch[]> {
  const parts: WordMatch[] = [];
  let length = 0;
  for (const values of questions) {
    if (length >= MOST_TEXT) break;
    const found = yield* inPart.all.all(values, toMatch);
    parts.push(...found);
    for (const { body } of found) length += body.length;
  }
  return parts;
}

/** Returns whether more parts may be left because of the length of these. */
function isFull(rows: readonly Row[], most: number): boolean {
  return (rows.at(-1)?.[6] ?? 0) >= most;
}

function toMatch([no, id, title, body, length, isMany]: Row): WordMatch {
  return { id, no: Math.floor(no / PARTS), title, body, length, isWhole: !isMany };
}
