/**
 * A page of 10,000 blocks, ten levels deep, as Markdown: over HTTP, from the real server on a data
 * folder that is there already.
 *
 * @module
 */
import { report } from "./measure.ts";
import { baseUrl, freePort, mint, rectoArgs, rectoEnv, startProcess } from "./processes.ts";

const BLOCKS = 10_000;
const SMALL = 500;
const LEVELS = 10;
const ROUNDS = 21;

export async function benchMarkdown(print: (line: string) => void): Promise<void> {
  const dataDir = await Deno.makeTempDir({ prefix: "recto-bench-" });
  try {
    const large = await withServer(dataDir, (server) => createPage(server, BLOCKS));
    const small = await withServer(dataDir, (server) => createPage(server, SMALL));
    await withServer(dataDir, (server) => measure(print, server, { large, small }));
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

interface Server {
  readonly pid: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function withServer<T>(dataDir: string, work: (server: Server) => Promise<T>): Promise<T> {
  const port = freePort();
  const env = rectoEnv(port, dataDir);
  await using child = await startProcess(rectoArgs(dataDir), { port, env });
  const token = await mint(dataDir, "pages.read pages.write blocks.read blocks.write");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return await work({ pid: child.pid, url: `${baseUrl(port)}/v2`, headers });
}

async function measure(
  print: (line: string) => void,
  server: Server,
  { large, small }: { readonly large: string; readonly small: string },
): Promise<void> {
  const start = memoryOf(server.pid, "VmHWM");
  // As many blocks in small pages first: the question is what the size of a page takes, and not what
  // garbage the heap lets lie whatever it is.
  for (let blocks = 0; blocks < ROUNDS * BLOCKS; blocks += SMALL) {
    await read(server, small, { accept: "*/*" });
  }
  const before = memoryOf(server.pid, "VmHWM");
  const times: number[] = [];
  let etag = "";
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const { status, headers } = await read(server, large, { accept: "application/json" });
    times.push(performance.now() - start);
    if (status !== 200) throw new Error(`Status ${status}`);
    etag = headers.get("etag") ?? "";
  }
  const more = memoryOf(server.pid, "VmHWM") - before;
  const best = Math.min(...times);
  row(print, `Markdown of ${BLOCKS} blocks`, { value: best, unit: "ms", aim: 150 });
  print(`     the median ${median(times).toFixed(1)} ms, the first ${times[0]?.toFixed(1)} ms`);
  const name = `memory beyond that for pages of ${SMALL} blocks`;
  row(print, name, { value: more, unit: "MB", aim: 40 });
  const peak = memoryOf(server.pid, "VmHWM");
  print(`     after the start ${start.toFixed(0)} MB, at the peak ${peak.toFixed(0)} MB`);
  const held: number[] = [];
  for (let round = 0; round < 5 * ROUNDS; round++) {
    const start = performance.now();
    const { status } = await read(server, large, { "if-none-match": etag });
    held.push(performance.now() - start);
    if (status !== 304) throw new Error(`Status ${status}`);
  }
  row(print, "304 of the same", { value: Math.min(...held), unit: "ms", aim: 2 });
  print(`     the median ${median(held).toFixed(2)} ms`);
}

function row(
  print: (line: string) => void,
  name: string,
  { value, unit, aim }: { readonly value: number; readonly unit: string; readonly aim: number },
): void {
  print(report(name, { value, unit, aim: `< ${aim} ${unit}`, met: value < aim }));
}

async function read(
  { url, headers }: Server,
  page: string,
  more: Readonly<Record<string, string>>,
): Promise<Response> {
  const path = `${url}/pages/${page}/content/markdown`;
  const response = await fetch(path, { headers: { ...headers, ...more } });
  await response.arrayBuffer();
  return response;
}

/** Megabytes of memory in use, or at its highest so far. */
function memoryOf(pid: number, name: "VmRSS" | "VmHWM"): number {
  // By a program, because Deno lets nobody read this but who may do everything.
  const { stdout } = new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).outputSync();
  const status = new TextDecoder().decode(stdout);
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

/** Creates a page, and fills it with trees that are as deep as they are asked to be. */
async function createPage(server: Server, blocks: number): Promise<string> {
  const { id } = await send(server, "POST", "/pages", {
    parent: { workspace: true },
    properties: { title: [{ text: { content: "A page to read" } }] },
  });
  // A level has ten blocks, a row of its table among them.
  const tree = treeOf(LEVELS);
  for (let made = 0; made < blocks; made += 5 * LEVELS * 10) {
    const children = Array.from({ length: 5 }, () => tree).flat();
    await send(server, "PATCH", `/blocks/${id}/children`, { children });
  }
  return id;
}

/** Ten blocks a level, of several types; the last one holds the next level. */
function treeOf(levels: number): object[] {
  const text = (words: string) => [
    { text: { content: `${words} at level ${levels}: some words, ` } },
    { text: { content: "important ones" }, annotations: { bold: true } },
    { text: { content: ", and a " } },
    { text: { content: "link", link: { url: "https://example.com/a_b" } } },
    { text: { content: " (with more behind it)." } },
  ];
  const cell = [{ text: { content: "A cell" } }];
  return [
    { heading_2: { rich_text: text("A heading") } },
    { paragraph: { rich_text: text("A paragraph") } },
    { paragraph: { rich_text: text("Another one") } },
    { bulleted_list_item: { rich_text: text("An item") } },
    { bulleted_list_item: { rich_text: text("Another item") } },
    { to_do: { rich_text: text("A task"), checked: true } },
    {
      code: { rich_text: [{ text: { content: "const a = 1;\nconst b = 2;" } }], language: "rust" },
    },
    { table: { table_width: 2, children: [{ table_row: { cells: [cell, cell] } }] } },
    {
      bulleted_list_item: {
        rich_text: text("A parent"),
        ...(levels > 1 && { children: treeOf(levels - 1) }),
      },
    },
  ];
}

async function send(
  { url, headers }: Server,
  method: string,
  path: string,
  body: object,
): Promise<{ readonly id: string }> {
  const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}
