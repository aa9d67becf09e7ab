import fc from "fast-check";
import { fillMentions } from "../../src/content/values/mentions.ts";
import { assert, assertEquals } from "../assert.ts";
import { blockTree as anyTree, withoutCopies } from "../content/block_arbitraries.ts";
import { drafted, PAGE, parsed } from "../content/blocks_helpers.ts";
import { SAMPLES } from "../content/blocks_samples.ts";
import { ORIGIN, type TestApp, withApp } from "../support/app.ts";
import {
  append,
  type BlockAnswer,
  childrenOf,
  idsOf,
  newPage,
  succeed,
  toggle,
  type Tree,
  treeOf,
} from "./driver.ts";

/** A copy needs an original that is stored already. */
const blockTree = anyTree.map(withoutCopies);

const SEED = 20240229;
const LEVELS = 10;
const BLOCKS = 600;
/** First-level blocks of one request. */
const BATCH = 20;

// Random ids are ids of unknown users.
const nobody = {
  users: new Map(),
  titles: new Map(),
  urlOf: (kind: string, id: string) => `${ORIGIN}/v2/${kind}s/${id}`,
};

/** The expected reply for blocks, computed without handlers and database. */
function expected(inputs: readonly object[]): Tree[] {
  const below = Map.groupBy(drafted(parsed(inputs)), (node) => node.parentId);
  const grow = (id: string): Tree[] =>
    (below.get(id) ?? []).map((node) => ({
      type: node.type,
      value: JSON.parse(fillMentions(node.doc, nobody)),
      children: grow(node.id),
    }));
  return grow(PAGE);
}

function count(trees: readonly Tree[]): number {
  return trees.reduce((sum, tree) => sum + 1 + count(tree.children), 0);
}

function depth(trees: readonly Tree[]): number {
  return trees.reduce((deepest, tree) => Math.max(deepest, 1 + depth(tree.children)), 0);
}

function typesIn(trees: readonly Tree[]): Set<string> {
  return new Set(trees.flatMap((tree) => [tree.type, ...typesIn(tree.children)]));
}

/** Blocks of one level, and those of the level below, which are children of its last block. */
interface Level {
  readonly blocks: readonly object[];
  readonly below: Level | undefined;
}

/** Minimal and complete blocks of every type that is valid anywhere, then random trees. */
function forest(): object[] {
  const samples = Object.entries(SAMPLES)
    .filter(([type]) => type !== "table_row" && type !== "column")
    .flatMap(([type, { least, most }]) => [{ [type]: least.given }, { [type]: most.given }]);
  const random = fc.sample(blockTree, { seed: SEED, numRuns: 200 });
  const blocks: object[] = [...samples];
  for (let size = count(expected(blocks)); size < BLOCKS;) {
    const tree = random.pop();
    assert(tree !== undefined, "enough random trees");
    blocks.push(...tree);
    size += count(expected(tree));
  }
  return blocks;
}

/** Spreads blocks over this many levels; the top level is the largest. */
function levelsOf(blocks: readonly object[], levels: number): Level {
  if (levels === 1) return { blocks, below: undefined };
  const here = Math.ceil(blocks.length / 2);
  return {
    blocks: [...blocks.slice(0, here), toggle(`${levels} levels`)],
    below: levelsOf(blocks.slice(here), levels - 1),
  };
}

/** The levels as one tree that a client could write in one request. */
function whole({ blocks, below }: Level): object[] {
  const last = blocks.at(-1);
  if (below === undefined || last === undefined) return [...blocks];
  assert("toggle" in last);
  return [...blocks.slice(0, -1), { toggle: { ...Object(last.toggle), children: whole(below) } }];
}

/** Writes the levels from the top down, in requests of this many first-level blocks. */
async function write(app: TestApp, parentId: string, { blocks, below }: Level): Promise<void> {
  let last = parentId;
  for (let start = 0; start < blocks.length; start += BATCH) {
    const added = await append(app, parentId, { children: blocks.slice(start, start + BATCH) });
    assertEquals(added.length, Math.min(BATCH, blocks.length - start));
    last = added.at(-1)?.id ?? last;
  }
  if (below !== undefined) await write(app, last, below);
}

/** All descendants in the form of a reply, parents before their children. */
async function blocksUnder(app: TestApp, id: string): Promise<BlockAnswer[]> {
  const below = [];
  for (const block of await childrenOf(app, id)) {
    below.push(block, ...block.has_children ? await blocksUnder(app, block.id) : []);
  }
  return below;
}

Deno.test("a large tree of every type is read as written, also after a restart", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const options = { environment: { DATABASE_URL: `sqlite:${folder}/tree.sqlite` } };
  const levels = levelsOf(forest(), LEVELS);
  const tree = expected(whole(levels));
  assert(count(tree) >= BLOCKS && depth(tree) >= LEVELS);
  assertEquals(typesIn(tree), new Set(Object.keys(SAMPLES)));
  let page = "";
  let written: BlockAnswer[] = [];
  let cursor = "";
  await withApp(async (app) => {
    page = await newPage(app, { title: "A large tree" });
    await write(app, page, levels);
    assertEquals(await treeOf(app, page, { pageSize: 7 }), tree);
    written = await blocksUnder(app, page);
    assertEquals(new Set(idsOf(written)).size, count(tree));
    cursor = (await succeed(app, `GET /v2/blocks/${page}/children?page_size=9`)).next_cursor;
  }, options);
  await withApp(async (app) => {
    assertEquals(await blocksUnder(app, page), written);
    assertEquals(await treeOf(app, page, { pageSize: 7 }), tree);
    const route = `GET /v2/blocks/${page}/children?start_cursor=${cursor}`;
    assertEquals((await succeed(app, route)).results, (await childrenOf(app, page)).slice(9));
  }, options);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("any tree in the request of a new page is read as written", () =>
  withApp(async (app) => {
    await fc.assert(
      fc.asyncProperty(blockTree, async (blocks) => {
        const page = await newPage(app, { children: blocks });
        assertEquals(await treeOf(app, page, { pageSize: 2 }), expected(blocks));
      }),
      { numRuns: 40 },
    );
  }));
