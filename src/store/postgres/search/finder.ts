/**
 * Finds pages and databases by their words.
 *
 * @module
 */
import { fits, partsOfFittingPages } from "../../../search/text/candidates.ts";
import type { WordMatch, WordMatches, WordQuery } from "../../port.ts";
import { MANY, marksOf } from "../../search_marks.ts";
import { PARTS, TITLED } from "../../search_parts.ts";
import type { Query, ReadPlan } from "../../reads/query.ts";
import { SOURCE } from "../reader.ts";
import { all, any, codeOf, marked, phrased, textOf } from "./expressions.ts";
import { BY_WORDS } from "./planning.ts";

type Row = readonly [
  no: number,
  pageId: string,
  title: string,
  body: string,
  length: number,
  isMany: boolean,
];

const COLUMNS = `p.no, p.page_id, CASE
  WHEN p.no % ${PARTS} < ${TITLED} OR p.title <> '' THEN p.title
  ELSE coalesce((
    SELECT f.title FROM search_parts f
    WHERE f.workspace_id = $1 AND f.no = p.no - p.no % ${PARTS} AND f.page_id = p.page_id
  ), '')
END, p.body, p.length, strpos(p.place, ' ${MANY} ') > 0`;

const ASKED = `
  FROM search_parts p
  WHERE p.workspace_id = $1 AND p.terms @@ $2::tsquery AND p.no >= $3 AND p.no < $4
    AND NOT p.trashed
`;
const IN_PART = "strpos(p.title, text) > 0 OR strpos(p.body, text) > 0";

/** Selects parts that have all or any of the texts, newest first. */
function inOnePart(together: "bool_and" | "bool_or", has: string): Query<Row> {
  return SOURCE.query(
    `SELECT ${COLUMNS} ${ASKED}
      AND coalesce((SELECT ${together}(${has}) FROM unnest($6::text[]) asked (text)), true)
    ORDER BY p.no DESC LIMIT $5`,
  );
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
const ofPages = SOURCE.query<Row>(
  `SELECT ${COLUMNS} FROM search_parts p
  WHERE p.workspace_id = $1 AND p.page_id = ANY ($2::text[])`,
);

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
  const whole = parts.rowsOf(found).map(toMatch);
  const rest = whole.length < limit ? undefined : whole.at(-1)?.no ?? from;
  const isChecked = texts.includes("");
  const checked = isChecked
    ? whole.filter((part) => fits([part], phrases, { match, inTitle }))
    : whole;
  if (match === "any" || inTitle || phrases.length < 2) return { matches: checked, rest };
  const many = all([any(expressions), marked(code, MANY), ...places]);
  const pages = yield* spread.all(
    [workspace, many, (rest ?? from) * PARTS, before * PARTS, limit, texts],
    (row) => row,
  );
  const pagesRest = pages.length < limit ? undefined : pages.at(-1)?.[0];
  const known = new Set(checked.map(({ id }) => id));
  const others = yield* readWords(
    workspace,
    pages.map(([, id]) => id).filter((id) => !known.has(id)),
  );
  const further = isChecked ? partsOfFittingPages(others, phrases) : others;
  const lowest = Math.max(rest ?? from, pagesRest ?? from);
  return {
    matches: [...checked, ...further].filter(({ no }) => no >= lowest).sort((a, b) => b.no - a.no),
    rest: rest === undefined && pagesRest === undefined ? undefined : lowest,
  };
}

/** Reads all parts of these pages. */
export function* readWords(workspace: string, ids: readonly string[]): ReadPlan<WordMatch[]> {
  if (ids.length === 0) return [];
  return yield* ofPages.all([workspace, ids], toMatch);
}

function toMatch([no, id, title, body, length, isMany]: Row): WordMatch {
  return { id, no: Math.floor(no / PARTS), title, body, length, isWhole: !isMany };
}
