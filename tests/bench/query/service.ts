/**
 * Measures the queries on a store and on the whole service above it.
 *
 * @module
 */
import type { RowQuery } from "../../../src/content/query/filter.ts";
import { sealTexts } from "../../../src/maintenance/slices.ts";
import type { Store } from "../../../src/store/port.ts";
import { type TestApp, withApp } from "../../support/app.ts";
import { medianTimes } from "../measure.ts";
import { DATABASE, WORKSPACE } from "./data.ts";
import { HARD_QUESTIONS, INSERT, type Question, QUESTIONS } from "./questions.ts";
import { relateRows } from "./related.ts";

const TIMES = 41;
/** Milliseconds above which a query is measured only once. */
const SLOW = 300;
/** Number of the late page. */
export const PAGE = 500;

/** Milliseconds by measurement. */
export type Figures = Map<string, number>;

/** A store with the large database, and the service above it. */
interface Subject {
  readonly store: Store;
  readonly app: TestApp;
}

/** Measures a store with the large database, then closes it. */
export async function measureStore(store: Store): Promise<Figures> {
  const [figures = new Map()] = await measureStores([store]);
  return figures;
}

/** Measures stores with the large database in turns, then closes them. */
export async function measureStores(stores: readonly Store[]): Promise<readonly Figures[]> {
  const figures = stores.map((): Figures => new Map());
  await withApps(stores, async (subjects) => {
    const measure: Measure = async (name, work) => {
      const times = await medianTimes(subjects.map((subject) => () => work(subject)), TIMES);
      for (const [index, time] of times.entries()) figures[index]?.set(name, time);
    };
    for (const question of QUESTIONS) {
      const query = queryOf(question);
      await measure(`${question.name}, store`, ({ store }) => store.rows(WORKSPACE, query));
      await measurePages(measure, subjects, question);
    }
    await measure("insert of a row", ({ app }) => created(app));
    for (const { store } of subjects) {
      await relateRows(store);
      // As housekeeping does.
      await sealTexts(store, () => Promise.resolve());
    }
    for (const { name, body } of HARD_QUESTIONS) {
      await measureHard(measure, { name, subjects, figures }, ({ app }) => asked(app, body));
    }
  });
  return figures;
}

type Measure = (name: string, work: (subject: Subject) => Promise<unknown>) => Promise<void>;

interface Hard {
  readonly name: string;
  readonly subjects: readonly Subject[];
  readonly figures: readonly Figures[];
}

/** Measures once what is slow or refused, also behind what it leaves to be done in the background. */
async function measureHard(
  measure: Measure,
  { name, subjects, figures }: Hard,
  work: (subject: Subject) => Promise<unknown>,
): Promise<void> {
  const times: (number | undefined)[] = [];
  for (const subject of subjects) {
    const time = await timeOf(() => work(subject));
    await subject.app.app.materializer.settled();
    times.push(isSlow(time) ? await timeOf(() => work(subject)) : time);
  }
  if (!times.some(isSlow)) return await measure(name, work);
  for (const [index, time] of times.entries()) figures[index]?.set(name, time ?? NaN);
}

/** Milliseconds of some work; undefined if it fails. */
async function timeOf(work: () => Promise<unknown>): Promise<number | undefined> {
  const start = performance.now();
  const isAnswered = await work().then(() => true, () => false);
  return isAnswered ? performance.now() - start : undefined;
}

function isSlow(time: number | undefined): boolean {
  return time === undefined || time >= SLOW;
}

async function withApps(
  [store, ...others]: readonly Store[],
  work: (subjects: readonly Subject[]) => Promise<void>,
  subjects: readonly Subject[] = [],
): Promise<void> {
  if (store === undefined) return await work(subjects);
  await withApp((app) => withApps(others, work, [...subjects, { store, app }]), {
    store,
    judged: false,
  });
}

/** Returns the store's queries. */
export function queryOf({ query }: Question): RowQuery {
  return { ...query, databaseId: DATABASE, inTrash: false, limit: 100 };
}

/** Requests the first page from the services, and a late page if there are enough rows. */
async function measurePages(
  measure: Measure,
  subjects: readonly Subject[],
  question: Question,
): Promise<void> {
  await measure(question.name, ({ app }) => pageOf(app, question));
  if (!question.isPaged) return;
  const cursors = new Map<TestApp, string>();
  for (const { app } of subjects) {
    const cursor = await cursorBefore(app, question, PAGE);
    if (cursor === null) return;
    cursors.set(app, cursor);
  }
  await measure(
    `${question.name}, page ${PAGE}`,
    ({ app }) => pageOf(app, question, cursors.get(app)),
  );
}

/** Returns the cursor of a page; null if there are fewer. */
async function cursorBefore(
  app: TestApp,
  question: Question,
  page: number,
): Promise<string | null> {
  let cursor = await pageOf(app, question);
  for (let at = 2; at < page && cursor !== null; at++) cursor = await pageOf(app, question, cursor);
  return cursor;
}

/** Requests a page and returns the cursor of the next one. */
function pageOf(app: TestApp, { body }: Question, cursor?: string): Promise<string | null> {
  return asked(app, {
    ...body,
    page_size: 100,
    ...(cursor !== undefined && { start_cursor: cursor }),
  });
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
