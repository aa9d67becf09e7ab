/**
 * Exports 10,000 pages with links and pictures from a server in its own process, by a command in its
 * own process, as Markdown and as JSON lines.
 *
 * @module
 */
import { createApiClient } from "../../src/cli/transfer/api_client.ts";
import { forEachParallel } from "../../src/cli/transfer/parallel.ts";
import { report } from "./measure.ts";
import { processorTime } from "./processor_time.ts";
import { baseUrl, mint, startRecto } from "./processes.ts";
import { residentMemory } from "./resident_memory.ts";

const PAGES = 10_000;
const PICTURES = 200;
const AIM = 15;
const SCOPES =
  "pages.read pages.write blocks.read blocks.write databases.read users.read search.read";

export async function benchExport(
  print: (line: string) => void,
  { rows: pages = PAGES }: { readonly rows?: number } = {},
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "recto-bench-" });
  await using recto = await startRecto();
  const token = await mint(recto.dataDir, SCOPES);
  const server = baseUrl(recto.port);
  try {
    await createPages({ server, token }, pages);
    for (const format of ["markdown", "jsonl"]) {
      const args = [`${folder}/${format}`, "--format", format, "--server", server];
      const before = await processorTime(recto.pid);
      const first = await timed(args, token);
      const served = (await processorTime(recto.pid) - before) / 1e6;
      const name = `export of ${pages} pages as ${format}`;
      const met = first.seconds < AIM;
      print(report(name, { value: first.seconds, unit: "s", aim: `< ${AIM} s`, met }));
      const times = `${first.processor.toFixed(1)} s here, ${served.toFixed(1)} s of the server`;
      print(`     ${first.megabytes.toFixed(0)} MB of memory; processor time: ${times}`);
      const again = await timed([...args, "--since", "last"], token);
      print(`     nothing changed, with --since last: ${again.seconds.toFixed(2)} s`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

interface Connection {
  readonly server: string;
  readonly token: string;
}

/** Creates pages of some 1,500 characters, each with links to others and a picture. */
async function createPages({ server, token }: Connection, count: number): Promise<void> {
  const api = createApiClient({ server, token, parallel: 16 });
  const pictures: string[] = [];
  for (let n = 0; n < PICTURES; n++) {
    const bytes = new Uint8Array(2_000).fill(n);
    pictures.push(
      await api.upload({
        name: `picture ${n}.png`,
        contentType: "image/png",
        size: bytes.length,
        open: () => Promise.resolve(new Blob([bytes]).stream()),
      }),
    );
  }
  const ids: string[] = [];
  await forEachParallel(Array(count).keys(), 16, async (n) => {
    const page = await api.post("/v2/pages", {
      parent: n % 10 === 0 || ids.length === 0
        ? { workspace: true }
        : { page_id: ids[n % ids.length] ?? "" },
      properties: { title: [{ text: { content: `Page ${n}` } }] },
      children: contentOf(n, { ids, picture: pictures[n % PICTURES] ?? "" }),
    });
    if (ids.length < 500) ids.push(String(page.id));
  });
}

function contentOf(
  n: number,
  { ids, picture }: { readonly ids: readonly string[]; readonly picture: string },
) {
  const words = (count: number) => "Words that stand for other words. ".repeat(count);
  const target = ids[n % ids.length];
  const link = target === undefined ? [] : [{ mention: { page: { id: target } } }];
  return [
    { heading_1: { rich_text: [{ text: { content: `Part ${n}` } }] } },
    { paragraph: { rich_text: [{ text: { content: words(20) } }, ...link] } },
    { bulleted_list_item: { rich_text: [{ text: { content: words(3) } }] } },
    { bulleted_list_item: { rich_text: [{ text: { content: words(3) } }, ...link] } },
    { image: { file_upload: { id: picture } } },
    { to_do: { rich_text: [{ text: { content: words(10) } }] } },
  ];
}

interface Timing {
  readonly seconds: number;
  /** Peak of the command's memory. */
  readonly megabytes: number;
  /** Seconds of the processor. */
  readonly processor: number;
}

async function timed(args: readonly string[], token: string): Promise<Timing> {
  const start = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-all", "src/cli/export.ts", ...args],
    env: { RECTO_TOKEN: token },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let peak = 0;
  let processor = 0;
  const timer = setInterval(async () => {
    peak = Math.max(peak, await residentMemory(child.pid));
    processor = Math.max(processor, await processorTime(child.pid) / 1e6);
  }, 500);
  const { code, stdout, stderr } = await child.output();
  clearInterval(timer);
  if (code !== 0) {
    const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    throw new Error(`The export failed: ${out}${error}`);
  }
  return { seconds: (performance.now() - start) / 1_000, megabytes: peak, processor };
}
