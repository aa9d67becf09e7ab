/**
 * Imports a folder of Markdown pages with links and pictures, and a large table, into a server of its
 * own, as users do: by the command, over HTTP. Measures time, and the memory of the command.
 *
 * @module
 */
import { report } from "./measure.ts";
import { baseUrl, mint, rectoArgs, rectoEnv, startProcess } from "./processes.ts";
import { residentMemory } from "./resident_memory.ts";
import { freePort } from "../support/ports.ts";

const FOLDERS = 100;
const PAGES_PER_FOLDER = 100;
const PICTURES = 1_000;
const ROWS = 100_000;
/** Seconds. */
const PAGES_AIM = 60;
const ROWS_AIM = 120;
/** Megabytes that ten times the pages may take more than a tenth of them. */
const MEMORY_AIM = 64;
/** As `docs/import.md` says for a server without a rate limit. */
const OPTIONS = ["--yes", "--parallel", "64"];
const SCOPES = "users.read pages.read pages.write blocks.read blocks.write databases.write";

export async function benchImport(
  print: (line: string) => void,
  { rows = ROWS }: { readonly rows?: number } = {},
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-bench-" });
  try {
    await writePages(`${folder}/small`, FOLDERS / 10);
    await writePages(`${folder}/large`, FOLDERS);
    await writeTable(`${folder}/table.csv`, rows);
    const small = await importInto(`${folder}/server-1`, `${folder}/small`);
    const large = await importInto(`${folder}/server-2`, `${folder}/large`);
    const pages = FOLDERS * PAGES_PER_FOLDER;
    print(timing(`import of ${pages} Markdown pages`, large.seconds, PAGES_AIM));
    const value = large.megabytes - small.megabytes;
    print(report(`memory of ${pages} pages, over a tenth of them`, {
      value,
      unit: "MB more",
      aim: `<= ${MEMORY_AIM}`,
      met: value <= MEMORY_AIM,
    }));
    const table = await importInto(`${folder}/server-3`, `${folder}/table.csv`);
    print(timing(`import of a table of ${rows} rows`, table.seconds, ROWS_AIM));
    print(`  ${small.megabytes}, ${large.megabytes} and ${table.megabytes} MB at most`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function timing(name: string, seconds: number, aim: number): string {
  return report(name, { value: seconds, unit: "s", aim: `<= ${aim}`, met: seconds <= aim });
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

async function importInto(
  data: string,
  path: string,
): Promise<{ readonly seconds: number; readonly megabytes: number }> {
  const port = freePort();
  await using _server = await startProcess(rectoArgs(data), { port, env: rectoEnv(port, data) });
  const token = await mint(data, SCOPES);
  const start = performance.now();
  const flags = ["--no-prompt", "--allow-net", "--allow-read", "--allow-write", "--allow-env"];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, "src/cli/import.ts", path, "--server", baseUrl(port), ...OPTIONS],
    env: { RECTO_TOKEN: token },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const peak = watchPeak(child.pid);
  const { code, stdout } = await child.output();
  const seconds = (performance.now() - start) / 1_000;
  if (code !== 0) throw new Error(new TextDecoder().decode(stdout));
  return { seconds, megabytes: Math.round(await peak()) };
}

/** Reads the memory of a process ten times a second; resolves to the most when it is asked. */
function watchPeak(pid: number): () => Promise<number> {
  const working = { ends: false };
  const watching = (async () => {
    let most = 0;
    while (!working.ends) {
      most = Math.max(most, await residentMemory(pid));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return most;
  })();
  return () => {
    working.ends = true;
    return watching;
  };
}
