/**
 * Imports a folder of Markdown pages with links and pictures, and a large table, into a server of its
 * own, as users do: by the command, over HTTP. Measures time, and how the memory of the command grows.
 *
 * @module
 */
import { report } from "./measure.ts";
import { type MemorySample, sampleAt, TRACE, watchMemory } from "./memory.ts";
import { baseUrl, mint, rectoArgs, rectoEnv, startProcess } from "./processes.ts";
import { freePort } from "../support/ports.ts";
import { denoArguments } from "../../src/cli/recto.ts";

const FOLDERS = 100;
const PAGES_PER_FOLDER = 100;
const PICTURES = 1_000;
const ROWS = 100_000;
/** Seconds. */
const PAGES_AIM = 60;
const ROWS_AIM = 120;
/** The most that the peak of memory may be of that of half as much work. */
const GROWTH_AIM = 1.1;
/** As `docs/import.md` says for a server without a rate limit. */
const OPTIONS = ["--yes", "--parallel", "64"];
const SCOPES = "users.read pages.read pages.write blocks.read blocks.write databases.write";

export async function benchImport(
  print: (line: string) => void,
  { rows = ROWS }: { readonly rows?: number } = {},
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-bench-" });
  try {
    const pages = await importPages(folder, FOLDERS);
    print(timing(`import of ${FOLDERS * PAGES_PER_FOLDER} Markdown pages`, pages, PAGES_AIM));
    printMemory(print, pages);
    const twice = await importPages(folder, 2 * FOLDERS);
    print(growth("twice as many pages", pages, twice));
    const half = await importTable(folder, Math.ceil(rows / 2));
    const table = await importTable(folder, rows);
    print(timing(`import of a table of ${rows} rows`, table, ROWS_AIM));
    printMemory(print, table);
    print(growth("all rows", half, table));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function timing(name: string, { seconds }: Imported, aim: number): string {
  return report(name, { value: seconds, unit: "s", aim: `<= ${aim}`, met: seconds <= aim });
}

function printMemory(print: (line: string) => void, { samples }: Imported): void {
  for (const part of [0.25, 0.5, 0.75, 1]) {
    const { resident, live } = sampleAt(samples, part);
    print(`  at ${part * 100} %: ${resident} MB resident, ${live} MB live`);
  }
}

/** V8 lets the heap grow up to a bound, so only the peaks of two imports tell if it has one. */
function growth(name: string, half: Imported, whole: Imported): string {
  const [before, after] = [peakOf(half), peakOf(whole)];
  const value = after / before;
  const met = value <= GROWTH_AIM;
  const title = `peak of memory of ${name}, ${after} MB, over that of half, ${before} MB`;
  return report(title, { value, unit: "times", aim: `<= ${GROWTH_AIM}`, met });
}

function peakOf({ samples }: Imported): number {
  return Math.max(...samples.map(({ resident }) => resident));
}

async function importPages(folder: string, folders: number): Promise<Imported> {
  const path = `${folder}/pages-${folders}`;
  await writePages(path, folders);
  return await importInto(`${path}-server`, path);
}

async function importTable(folder: string, rows: number): Promise<Imported> {
  const path = `${folder}/table-${rows}`;
  await writeTable(`${path}.csv`, rows);
  return await importInto(`${path}-server`, `${path}.csv`);
}

/** Each page links to two others and every tenth shows a picture of its own. */
async function writePages(root: string, folders: number): Promise<void> {
  const every = FOLDERS * PAGES_PER_FOLDER / PICTURES;
  for (let folder = 0; folder < folders; folder++) {
    await Deno.mkdir(`${root}/topic-${folder}/pictures`, { recursive: true });
    for (let page = 0; page < PAGES_PER_FOLDER; page++) {
      const number = folder * PAGES_PER_FOLDER + page;
      const picture = number % every === 0 ? `![Picture](pictures/p${page}.png)\n\n` : "";
      const next = `../topic-${(folder + 1) % folders}/page-${page}.md`;
      const text = `# Page ${number}\n\n${PROSE}\n\n${picture}See [the first](page-0.md) and ` +
        `[the next](${next}).\n\n- One **bold** thing\n- Another one\n\n\`\`\`ts\nconst n = ${number};\n\`\`\`\n`;
      await Deno.writeTextFile(`${root}/topic-${folder}/page-${page}.md`, text);
      if (picture !== "") {
        await Deno.writeFile(`${root}/topic-${folder}/pictures/p${page}.png`, noise(20_000));
      }
    }
  }
}

const PROSE = "The river rises in spring, when the snow of the hills melts. ".repeat(8);

function noise(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

async function writeTable(path: string, rows: number): Promise<void> {
  const lines = ["Name,Amount,State,Day,Note"];
  const states = ["open", "paid", "late"];
  for (let row = 0; row < rows; row++) {
    const day = new Date(Date.UTC(2020, 0, 1 + row % 2_000)).toISOString().slice(0, 10);
    lines.push(`Invoice ${row},${row % 977}.50,${states[row % 3]},${day},"Note, number ${row}"`);
  }
  await Deno.writeTextFile(path, `${lines.join("\n")}\n`);
}

interface Imported {
  readonly seconds: number;
  readonly samples: readonly MemorySample[];
}

async function importInto(data: string, path: string): Promise<Imported> {
  const port = freePort();
  await using _server = await startProcess(rectoArgs(data), { port, env: rectoEnv(port, data) });
  const token = await mint(data, SCOPES);
  const env = { RECTO_SERVER: baseUrl(port), RECTO_TOKEN: token };
  const [run = "", ...args] = denoArguments("import", [path, ...OPTIONS], env);
  const start = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: [run, TRACE, ...args],
    env,
    stdout: "piped",
    stderr: "null",
  }).spawn();
  // The journal has a line for everything that is written.
  const memory = watchMemory(child.pid, () => sizeOf(`${path}.recto-import`));
  const { code, stdout } = await child.output();
  const seconds = (performance.now() - start) / 1_000;
  const output = new TextDecoder().decode(stdout);
  if (code !== 0) throw new Error(output);
  return { seconds, samples: await memory.end(output) };
}

async function sizeOf(path: string): Promise<number> {
  return (await Deno.stat(path).catch(() => undefined))?.size ?? 0;
}
