/**
 * Measures searches of a large workspace through the whole service, how they scale, and what they cost
 * writes.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { median, medianTime, report } from "./measure.ts";
import { createProgress } from "./query/progress.ts";
import { buildPages } from "./search/build.ts";
import { measureIndexing, measureMeaning } from "./search/meaning.ts";
import { questionsIn } from "./search/questions.ts";
import { CHINESE, ENGLISH, type Language } from "./search/words.ts";

const SIZES = [10_000, 100_000];
const TIMES = 41;
/** Median milliseconds of keyword searches, and pages indexed per second. */
const SEARCH_AIM = 15;
const INDEXING_AIM = 500;

export interface SearchBenchOptions {
  /** Pages of the largest workspace. */
  readonly rows?: number;
  /** Only languages whose name contains it. */
  readonly only?: string;
}

type Print = (line: string) => void;

export async function benchSearch(
  print: Print,
  { rows: most = Math.max(...SIZES), only = "" }: SearchBenchOptions = {},
): Promise<void> {
  for (const language of [ENGLISH, CHINESE].filter(({ name }) => name.includes(only))) {
    await benchLanguage(print, language, most);
  }
}

async function benchLanguage(print: Print, language: Language, most: number): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-bench-" });
  const store = openSqliteStore(`${folder}/recto.db`);
  try {
    await withApp(async (app) => {
      let built = 0;
      for (const size of [...SIZES.filter((size) => size < most), most]) {
        print(`${size} pages, ${language.name}`);
        const range = { from: built, to: size, language };
        const speed = await buildPages(store, range, createProgress(`${size}`));
        built = size;
        print(report("pages written to the store each second", {
          value: speed,
          unit: "/s",
          aim: `> ${INDEXING_AIM}/s`,
          met: speed > INDEXING_AIM,
        }));
        print(`     index of words ${indexSize(`${folder}/recto.db`)} MB`);
        await measureSearches(print, app, language);
        await measureIndexing(print, app, { pages: size, progress: createProgress(`${size}`) });
        await measureMeaning(print, app, language);
        print(`     resident memory ${Math.round(Deno.memoryUsage().rss / 1e6)} MB`);
      }
    }, { store, judged: false });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns the megabytes of the lists of terms, without the words that are kept of each page. */
function indexSize(file: string): number {
  using db = new DatabaseSync(file, { readOnly: true });
  const { bytes } = db.prepare("SELECT sum(length(block)) AS bytes FROM search_words_data").get() ??
    {};
  return Math.round(Number(bytes) / 1e6);
}

/** Measures each kind of search, and compares the median with the aim. */
async function measureSearches(print: Print, app: TestApp, language: Language): Promise<void> {
  const all: number[] = [];
  // The pages took longer to write than the token of an app lasts.
  const token = await app.mint();
  for (const { name, body } of questionsIn(language)) {
    let results = 0;
    const ask = async () => {
      const answer = await app.call("POST /v2/search", {
        body: { ...body, page_size: 20 },
        token,
      });
      if (answer.status !== 200) throw new Error(`The search was answered ${answer.text}`);
      results = answer.json.results.length;
    };
    const time = await medianTime(ask, TIMES);
    all.push(time);
    print(`     ${`${name} (${results})`.padEnd(52)} ${time.toFixed(2).padStart(10)} ms`);
  }
  const value = median(all);
  const aim = `< ${SEARCH_AIM.toFixed(1)} ms`;
  print(report("words: the middle kind", { value, unit: "ms", aim, met: value < SEARCH_AIM }));
}
