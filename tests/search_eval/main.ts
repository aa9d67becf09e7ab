/**
 * `recto search`: measures the quality of search, beside other engines.
 *
 * @module
 */
import { runCommandLine, UsageError } from "../../src/cli/options.ts";
import { type CommandResult, conclude, failure } from "../../src/cli/result.ts";
import { readCollection } from "./collection.ts";
import { evaluate, type Evaluation } from "./evaluation.ts";
import { askKnownItems, type KnownItems } from "./known_items.ts";
import { createFts5 } from "./rivals/fts5.ts";
import { createLunr } from "./rivals/lunr.ts";
import { createMiniSearch } from "./rivals/minisearch.ts";
import { createOrama } from "./rivals/orama.ts";
import { isTooLong, waysOf, withService } from "./service.ts";

const USAGE = `Usage: recto search eval DIR...
       recto search known [PAGES]

eval   Loads each test collection into a temporary service, asks its questions over the API, and
       prints nDCG@10, MAP, recall@100 and the median time, beside FTS5, MiniSearch, Orama and Lunr.
known  Asks 60 questions of two common words and one rare in a workspace of generated text (20,000
       pages, or PAGES), and prints how often the one page with the rare word comes first.
`;

/** Measures a collection; returns a table of all ways. */
async function evaluateFolder(folder: string): Promise<string> {
  const { documents, topics } = await readCollection(folder);
  const name = folder.replace(/\/+$/, "").split("/").at(-1) ?? folder;
  const cut = topics.filter(({ query }) => isTooLong(query)).length;
  const judged = topics.filter(({ relevance }) => relevance.size > 0).length;
  const own = await withService(async ({ call, load }) => {
    const found: Evaluation[] = [];
    for (const way of waysOf(call, await load(documents))) {
      found.push(await evaluate(way, topics, show(`${name}, ${way.name}`)));
    }
    return found;
  });
  const others: Evaluation[] = [];
  for (const create of [createFts5, createMiniSearch, createOrama, createLunr]) {
    const way = await create(documents);
    others.push(await evaluate(way, topics, show(`${name}, ${way.name}`)));
  }
  const note = cut === 0 ? "" : `, ${cut} of them cut to the longest that the API takes`;
  return `${name}: ${documents.length} documents, ${judged} questions${note}\n` +
    `${toTable([...own, ...others])}\n`;
}

function toTable(evaluations: readonly Evaluation[]): string {
  const lines = evaluations.map(({ name, ndcg10, averagePrecision, recall100, time }) => {
    const figures = [ndcg10, averagePrecision, recall100].map((one) => one.toFixed(3).padStart(9));
    return `${name.padEnd(11)}${figures.join("")}${time.toFixed(1).padStart(8)} ms\n`;
  });
  return `             nDCG@10      MAP  rec@100       p50\n${lines.join("")}`;
}

function toLines(found: readonly KnownItems[]): string {
  return found.map(({ way, first, questions }) =>
    `${way.padEnd(11)}first in ${first} of ${questions}\n`
  ).join("");
}

/** Shows progress on a terminal. */
function show(what: string): (share: number) => void {
  return (share) => {
    if (!Deno.stderr.isTerminal()) return;
    const end = share === 1 ? "\r\x1b[K" : "";
    Deno.stderr.writeSync(
      new TextEncoder().encode(`\r${what} ${Math.round(share * 100)} %${end}`),
    );
  };
}

async function run(words: readonly string[]): Promise<CommandResult> {
  const [command, ...rest] = words;
  if (command === "eval" && rest.length > 0) {
    const tables: string[] = [];
    for (const folder of rest) tables.push(await evaluateFolder(folder));
    return { code: 0, stdout: tables.join(""), stderr: "" };
  }
  const [pages = "20000", ...more] = rest;
  if (command !== "known" || more.length > 0 || !/^\d+$/.test(pages)) return failure(2, USAGE);
  const stdout = toLines(await askKnownItems(Number(pages), show("loading")));
  return { code: 0, stdout, stderr: "" };
}

/** A folder without a collection is an error of the command line. */
function search(args: readonly string[]): Promise<CommandResult> {
  const commandLine = { usage: USAGE, values: [], words: [0, Infinity] } as const;
  return runCommandLine(commandLine, args, async ({ positionals }) => {
    try {
      return await run(positionals);
    } catch (error) {
      if (error instanceof Error) throw new UsageError(error.message);
      throw error;
    }
  });
}

if (import.meta.main) await conclude(await search(Deno.args));
