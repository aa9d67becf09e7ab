/**
 * Reads a page of 10,000 blocks, ten levels deep, as Markdown over HTTP, from the real server on an
 * existing data folder.
 *
 * @module
 */
import { median, report } from "./measure.ts";
import { baseUrl, mint, rectoArgs, rectoEnv, startProcess } from "./processes.ts";
import { freePort } from "../support/ports.ts";

const BLOCKS = 10_000;
const SMALL = 500;
const LEVELS = 10;
const ROUNDS = 21;
/** Warm-up rounds: code that is not yet compiled is slower. */
const UNHEARD = 5;
const HEAP = "--v8-flags=--max-heap-size=48";

export async function benchMarkdown(print: (line: string) => void): Promise<void> {
  const dataDir = await Deno.makeTempDir({ prefix: "recto-bench-" });
  try {
    const large = await withServer(dataDir, (server) => createPage(server, BLOCKS));
    const small = await withServer(dataDir, (server) => createPage(server, SMALL));
    await withServer(dataDir, (server) => measureTimes(print, server, large));
    const work = (server: Server) => measureMemory(print, server, { large, small });
    await withServer(dataDir, work, HEAP);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

interface Server {
  readonly pid: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function withServer<T>(
  dataDir: string,
  work: (server: Server) => Promise<T>,
  ...flags: string[]
): Promise<T> {
  const port = freePort();
  const [run = "", ...args] = rectoArgs(dataDir);
  const env = rectoEnv(port, dataDir);
  await using child = await startProcess([run, ...flags, ...args], { port, env });
  const token = await mint(dataDir, "pages.read pages.write blocks.read blocks.write");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return await work({ pid: child.pid, url: `${baseUrl(port)}/v2`, headers });
}

async function measureTimes(
  print: (line: string) => void,
  server: Server,
  page: string,
): Promise<void> {
  const [first = NaN] = await timesOf(UNHEARD, () => read(server, page, 200));
  const whole = await timesOf(ROUNDS, () => read(server, page, 200));
  row(print, `Markdown of ${BLOCKS} blocks`, { value: median(whole), unit: "ms", aim: 150 });
  print(`     the best ${Math.min(...whole).toFixed(1)} ms, the very first ${first.toFixed(1)} ms`);
  const etag = (await read(server, page, 200)).headers.get("etag") ?? "";
  const held = await timesOf(5 * ROUNDS, () => read(server, page, 304, { "if-none-match": etag }));
  row(print, "304 of the same", { value: median(held), unit: "ms", aim: 2 });
}

/**
 * Measures the memory that a page takes, with a bounded heap: an unbounded one grows with garbage,
 * regardless of the size of the page.
 */
async function measureMemory(
  print: (line: string) => void,
  server: Server,
  { large, small }: { readonly large: string; readonly small: string },
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await read(server, small, 200);
  const before = peakOf(server.pid);
  for (let round = 0; round < ROUNDS; round++) await read(server, large, 200);
  const value = peakOf(server.pid) - before;
  row(print, `its memory beyond that of ${SMALL} blocks`, { value, unit: "MB", aim: 40 });
  print(`     at the peak ${(before + value).toFixed(0)} MB, with a heap of 48 MB at most`);
}

async function timesOf(rounds: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times;
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
  status: 200 | 304,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const path = `${url}/pages/${page}/content/markdown`;
  const response = await fetch(path, { headers: { ...headers, ...more } });
  await response.arrayBuffer();
  if (response.status !== status) throw new Error(`Status ${response.status}`);
  return response;
}

/** Returns the peak memory of a process in megabytes. */
function peakOf(pid: number): number {
  // Reads it with `cat`, because Deno requires all permissions to read it itself.
  const { stdout } = new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).outputSync();
  return Number(/VmHWM:\s+(\d+) kB/.exec(new TextDecoder().decode(stdout))?.[1]) / 1024;
}

/** Creates a page and fills it with trees of the requested depth. */
async function createPage(server: Server, blocks: number): Promise<string> {
  const { id } = await send(server, "POST", "/pages", {
    parent: { workspace: true },
    properties: { title: [{ text: { content: "A page to read" } }] },
  });
  // A level has ten blocks, including a table row.
  const tree = treeOf(LEVELS);
  for (let made = 0; made < blocks; made += 5 * LEVELS * 10) {
    const children = Array.from({ length: 5 }, () => tree).flat();
    await send(server, "PATCH", `/blocks/${id}/children`, { children });
  }
  return id;
}

/** Returns ten blocks of several types per level; the last one contains the next level. */
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
