/**
 * Searches that find very long pages: with few long texts, with very many short ones, and texts of a
 * script without spaces.
 *
 * @module
 */
import type { Deed } from "./deeds.ts";
import type { Service } from "./service.ts";
import { ROOT } from "./workspace.ts";

/** UTF-16 code units of the longest text of a block, and of the items it is made of. */
const LONGEST = 200_000;
const ITEM = 2_000;
/** UTF-16 code units of a short text, and how many of them are in one toggle. */
const SHORT = 160;
const TOGETHER = 100;
/** UTF-16 code units of a page in the index, where each text has its ID. */
const PAGE = 16_000_000;
const ID = 40;
const PAGES = 10;
/** Texts of one request: fewer bytes than it may have. */
const BYTES = 800_000;

const WORDS =
  `river stone mountain library garden station window letter harbour lantern connect connected
  connecting connection connections connects meadow thunder copper velvet orchard anchor basket
  candle desert engine forest glacier hollow island jacket kettle ladder market needle ocean`
    .split(/\s+/);
const TEN = WORDS.slice(0, 10);

/** Creates the pages, and returns the requests. */
export async function longPages(service: Service): Promise<Deed[]> {
  await createPage(service, texts("one", LONGEST));
  const many = await createPage(service, texts("many", SHORT));
  for (let n = 0; n < PAGES; n++) await createPage(service, texts("ten", LONGEST));
  await createPage(service, ["水".repeat(LONGEST / 2) + "漢字".repeat(LONGEST / 4)]);
  return [
    ...searches(service, "page of 80 texts of 200,000 characters", "one"),
    ...searches(service, "page of 80,000 texts of 160 characters", "many"),
    {
      name: "page of 80,000 texts of 160 characters: content/markdown",
      run: () => service.ask(`GET /v2/pages/${many}/content/markdown`),
    },
    ...searches(service, "ten pages of 80 texts of 200,000 characters", "ten"),
    search(service, "Chinese text of 200,000 characters", "search by words", { query: "水漢" }),
    search(service, "Chinese text of 200,000 characters", "other characters", { query: "汉字水" }),
  ];
}

/** The texts of a page, in words that no other kind of page has. */
function* texts(kind: string, length: number): Generator<string> {
  let written = 0;
  for (let n = 0; written < PAGE; n++) {
    let text = written === 0
      ? `${kind}first `
      : written + length + ID >= PAGE
      ? `${kind}last `
      : "";
    for (; text.length < length - 20; n++) {
      text += `${kind}${WORDS[(n * n + n % 7) % WORDS.length]} ${
        n % 3 === 0 ? `w${n % 5_000} ` : ""
      }`;
    }
    written += length + ID;
    yield text;
  }
}

/** Returns the ID of the page. */
async function createPage({ ask }: Service, texts: Iterable<string>): Promise<string> {
  const send = async (route: string, body: object): Promise<string> => {
    const answered = await ask(route, body);
    if (answered.status !== 200) throw new Error(`${route}: ${answered.status}`);
    return answered.json().id;
  };
  const title = { title: [{ text: { content: "Long page" } }] };
  const page = await send("POST /v2/pages", { parent: { page_id: ROOT }, properties: { title } });
  let [children, size]: [object[], number] = [[], 0];
  const append = async () => {
    const toggles = Array.from({ length: Math.ceil(children.length / TOGETHER) }, (_, n) => ({
      toggle: { rich_text: [], children: children.slice(n * TOGETHER, (n + 1) * TOGETHER) },
    }));
    await send(`PATCH /v2/blocks/${page}/children`, { children: toggles });
    [children, size] = [[], 0];
  };
  for (const text of texts) {
    const items = text.match(new RegExp(`.{1,${ITEM}}`, "gu")) ?? [];
    const paragraph = { rich_text: items.map((content) => ({ text: { content } })) };
    const { length } = JSON.stringify(paragraph);
    if (size + length > BYTES) await append();
    children.push({ paragraph });
    size += length;
  }
  await append();
  return page;
}

function search({ ask }: Service, pages: string, name: string, body: object, route = ""): Deed {
  return {
    name: `${pages}: ${name}`,
    run: () => ask(`POST /v2/search${route}`, body),
  };
}

function searches(service: Service, pages: string, kind: string): Deed[] {
  const some = (name: string, body: object, route?: string) =>
    search(service, pages, name, body, route);
  const ten = TEN.map((word) => kind + word).join(" ");
  return [
    some("one word", { query: `"${kind}river"` }),
    some("ten words", { query: ten }),
    some("any of ten words", { query: ten, words: "any" }),
    some("beginning of words", { query: `${kind}conn` }),
    some("words with many forms", { query: `${kind}connections ${kind}river` }),
    some("words of the first and last text", { query: `${kind}first ${kind}last` }),
    some("a misspelt word", { query: `${kind}mountani` }),
    some("a word without another", { query: `${kind}river -zzz` }),
    some("total", { query: ten, total: true }),
    some("sorted by time", {
      query: ten,
      sort: { timestamp: "created_time", direction: "ascending" },
    }),
    some("with a filter", {
      query: ten,
      filter: { timestamp: "created_time", created_time: { after: "2020-01-01" } },
    }),
    some("by meaning", { query: ten }, "/semantic"),
    some("by meaning alone", { query: ten, mode: "semantic" }, "/semantic"),
  ];
}
