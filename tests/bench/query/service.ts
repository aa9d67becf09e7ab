/**
 * How long the questions take, asked of a store and of the whole service above it.
 *
 * @module
 */
import type { RowQuery } from "../../../src/content/query/filter.ts";
import type { Store } from "../../../src/store/port.ts";
import { type TestApp, withApp } from "../../support/app.ts";
import { median } from "../measure.ts";
import { DATABASE, WORKSPACE } from "./data.ts";
import { INSERT, type Question, QUESTIONS } from "./questions.ts";

const TIMES = 41;
/** The late page that is asked for. */
export const PAGE = 500;

/** Milliseconds by what was measured. */
export type Figures = Map<string, number>;

/** Asks a store that holds the large database; closes it. */
export async function measureStore(store: Store): Promise<Figures> {
  const figures: Figures = new Map();
  await withApp(async (app) => {
    for (const question of QUESTIONS) {
      const query = queryOf(question);
      figures.set(
        `${question.name}, store`,
        await median(() => store.rows(WORKSPACE, query), TIMES),
      );
      await measurePages(figures, app, question);
    }
    figures.set("insert of a row", await median(() => created(app), TIMES));
  }, { store, judged: false });
  return figures;
}

/** What a store is asked. */
export function queryOf({ query }: Question): RowQuery {
  return { ...query, databaseId: DATABASE, inTrash: false, limit: 100 };
}

/** Asks the service for the first page, and where there are so many for a late one. */
async function measurePages(figures: Figures, app: TestApp, question: Question): Promise<void> {
  const first = () => asked(app, { ...question.body, page_size: 100 });
  figures.set(question.name, await median(first, TIMES));
  if (!question.isPaged) return;
  let cursor = await first();
  for (let page = 2; page < PAGE && cursor !== null; page++) {
    cursor = await asked(app, { ...question.body, page_size: 100, start_cursor: cursor });
  }
  if (cursor === null) return;
  const late = { ...question.body, page_size: 100, start_cursor: cursor };
  figures.set(`${question.name}, page ${PAGE}`, await median(() => asked(app, late), TIMES));
}

async function asked(app: TestApp, body: unknown): Promise<string | null> {
  const answer = await app.call(`POST /v2/databases/${DATABASE}/query`, { body });
  if (answer.status !== 200) {
    throw new Error(`The query was answered ${answer.status}: ${answer.text}`);
  }
  return answer.json.next_cursor;
}

async function created(app: TestApp): Promise<void> {
  const answer = await app.call("POST /v2/pages", { body: INSERT });
  if (answer.status !== 200) {
    throw new Error(`The row was answered ${answer.status}: ${answer.text}`);
  }
}
