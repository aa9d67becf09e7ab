import { assertEquals, assertMatch } from "../assert.ts";
import { readCollection } from "./collection.ts";
import { evaluate } from "./evaluation.ts";
import { createFts5 } from "./rivals/fts5.ts";
import { createLunr } from "./rivals/lunr.ts";
import { createMiniSearch } from "./rivals/minisearch.ts";
import { createOrama } from "./rivals/orama.ts";
import { waysOf, withService } from "./service.ts";

const LONG = "swallow ".repeat(200);
const DOCUMENTS = `
<doc><docno>a</docno><title>Swallows</title><text>The swallow builds its nest.

A second  paragraph &amp; more.</text></doc>
<doc><docno>b</docno><title>Owls</title><text>Owls hunt at night.</text></doc>
<doc><docno>c</docno><title>燈塔</title><text>東犬燈塔對於研究清代洋式燈塔的人來說是重要的。</text></doc>`;
const QUESTIONS = `<top><num>7</num><title>swallow nests</title></top>
<top><title>hunting owls</title></top><top><title>東犬燈塔</title></top>
<top><title>${LONG}</title></top>`;

/** Reads a collection of three documents and four questions. */
async function readSmall() {
  const folder = await Deno.makeTempDir({ prefix: "recto-search-" });
  await Deno.writeTextFile(`${folder}/x.all.xml`, DOCUMENTS);
  await Deno.writeTextFile(`${folder}/x.qry.xml`, QUESTIONS);
  await Deno.writeTextFile(`${folder}/x.qrel.txt`, "1 0 a 1\n2 0 b 2\n2 0 a 0\n3 0 c 1\n4 0 a 1\n");
  const collection = await readCollection(folder);
  await Deno.remove(folder, { recursive: true });
  return collection;
}

Deno.test("a collection has paragraphs, and questions are judged by their position", async () => {
  const { documents, topics } = await readSmall();
  assertEquals(documents[0]?.paragraphs, [
    "The swallow builds its nest.",
    "A second paragraph & more.",
  ]);
  assertEquals(topics.map(({ relevance }) => [...relevance]), [
    [["a", 1]],
    [["b", 2]],
    [["c", 1]],
    [["a", 1]],
  ]);
});

Deno.test("the service finds the pages of a collection, also by a question that has to be cut", async () => {
  const { documents, topics } = await readSmall();
  const found = await withService(async ({ call, load }) => {
    const [keyword] = waysOf(call, await load(documents));
    return keyword === undefined ? undefined : await evaluate(keyword, topics);
  });
  assertEquals([found?.ndcg10, found?.recall100], [1, 1]);
});

Deno.test("every engine beside finds what its words ask for", async () => {
  const { documents, topics } = await readSmall();
  for (const create of [createFts5, createMiniSearch, createOrama, createLunr]) {
    const way = await create(documents);
    // Lunr drops all letters but those of English.
    const asked = way.name === "Lunr" ? topics.slice(3) : topics.slice(2, 4);
    const { recall100 } = await evaluate(way, asked);
    assertEquals([way.name, recall100], [way.name, 1]);
  }
});

Deno.test("the command names its forms where it does not understand", async () => {
  const args = ["run", "--config", "tests/deno.json", "--no-prompt", "--allow-read"];
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args, "tests/search_eval/main.ts", "evaluate"],
  });
  const { code, stderr } = await command.output();
  assertEquals(code, 2);
  assertMatch(new TextDecoder().decode(stderr), /^Usage: recto search eval DIR\.\.\./);
});
