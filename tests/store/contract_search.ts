/**
 * Contract: what is written is found by its words, in the order of edits, and due.
 *
 * @module
 */
import fc from "fast-check";
import type { Change, Node } from "../../src/content/schema/node.ts";
import type { SearchWithin, Store } from "../../src/store/port.ts";
import { occurrencesIn } from "../../src/search/text/occurrences.ts";
import { type Phrase, readPhrases } from "../../src/search/text/query.ts";
import { atOnce } from "../../src/shared/yield_to_event_loop.ts";
import { assert, assertEquals } from "../assert.ts";
import { done, type OpenStore, type StoreTest, W } from "./contract_support.ts";
import { block, FIRST, insert, page, restore, trash } from "./samples.ts";

/** A paragraph of a page. */
function paragraph(id: string, pageId: string, content: string): Node {
  const doc = JSON.stringify({ rich_text: [{ plain_text: content }], color: "default" });
  return block(id, pageId, { parentKind: "page", containerId: pageId, doc });
}

function edit(id: string, content: string, version = 1): Change {
  const { doc } = paragraph(id, "", content);
  const edit = { time: FIRST.time, by: "ann" };
  return { op: "update", id, version, title: "", doc, hasMentions: false, edit };
}

function below(parent: Node, child: Node): Node {
  return { ...child, parentKind: "page", parentId: parent.id, containerId: parent.id };
}

interface Asked {
  readonly match?: "all" | "any";
  readonly scope?: SearchWithin;
  readonly inTitle?: boolean;
}

/** Ids of the pages that a query finds, each once. */
async function found(store: Store, query: string | readonly Phrase[], asked: Asked = {}) {
  const phrases = typeof query === "string" ? readPhrases(query) : query;
  const options = { match: "all", scope: {}, limit: 1_000, ...asked } as const;
  const { matches, rest } = await store.findWords(W, { phrases, ...options });
  assertEquals(rest, undefined);
  return [...new Set(matches.map(({ id }) => id))].toSorted();
}

/** So many different words that they stand in several parts of a page. */
function longText(): string {
  return Array.from({ length: 1_500 }, (_, index) => `w${index}`).join(" ");
}

export function searchContract(test: StoreTest): void {
  test("findWords() finds titles and contents once they are committed", async (store) => {
    await done(store, insert(page("a", { title: "Harbour" }), paragraph("b", "a", "Gulls cry")));
    assertEquals(await found(store, "harbour gulls"), ["a"]);
    assertEquals(await found(store, "gulls sleep"), []);
    assertEquals(await found(store, "sleep harbour", { match: "any" }), ["a"]);
    assertEquals(await found(store, "gulls", { inTitle: true }), []);
    const [match] = (await store.findWords(W, {
      phrases: readPhrases("gulls"),
      match: "all",
      scope: {},
      limit: 1,
    })).matches;
    assert(match);
    assertEquals([match.title, match.body, match.length], [" harbour ", "b\n gulls cry \n", 3]);
  });

  test("findWords() finds words in titles alone if requested", async (store) => {
    const asked = (query: string, scope: SearchWithin = {}) =>
      found(store, query, { inTitle: true, scope });
    const long = below(page("a"), page("b", { title: "Harbours" }));
    await done(
      store,
      insert(page("a", { title: "Grey gulls" }), paragraph("p", "a", "harbour"), long),
    );
    assertEquals(await asked("gulls grey"), ["a"]);
    assertEquals([await asked('"grey gulls"'), await asked('"gulls grey"')], [["a"], []]);
    assertEquals([await asked("harb"), await asked('"harbour"')], [["b"], []]);
    assertEquals(await asked("harbours", { ancestorId: "a" }), ["b"]);
    assertEquals(await asked("gulls", { ancestorId: "a" }), []);
    const { doc } = page("a");
    const edit = { time: FIRST.time, by: "ann" };
    const change = { op: "update", id: "a", version: 1, title: "Terns", doc } as const;
    await done(store, [{ ...change, hasMentions: false, edit }]);
    assertEquals([await asked("gulls"), await asked("terns")], [[], ["a"]]);
    assertEquals(await found(store, "harbour terns"), ["a"]);
  });

  test("findWords() finds words of one page in whichever of its parts", async (store) => {
    await done(store, insert(page("a", { title: "Long" }), paragraph("first", "a", "alpha")));
    await done(store, insert(paragraph("middle", "a", longText())));
    await done(store, insert(paragraph("last", "a", "omega")));
    await done(store, insert(page("b", { title: "Short" }), paragraph("c", "b", "alpha")));
    const { parts } = await store.words(W, ["a"]);
    assert(parts.length > 1 && parts.every(({ body }) => !/alpha[^]*omega/.test(body)));
    assertEquals(await found(store, "alpha omega long"), ["a"]);
    assertEquals(await found(store, "alpha omega short"), []);
    assertEquals(await found(store, "alpha"), ["a", "b"]);
    await done(store, [edit("first", "beta")]);
    assertEquals(await found(store, "alpha omega"), []);
    assertEquals(await found(store, "beta omega"), ["a"]);
  });

  test("findWords() finds all of many words, in one part of a page or in several", async (store) => {
    const words = Array.from({ length: 20 }, (_, index) => `word${index}x`);
    const without = (missing: number) => words.filter((_, index) => index !== missing).join(" ");
    await done(store, insert(page("a"), paragraph("whole", "a", words.join(" "))));
    await done(store, insert(page("b"), paragraph("first", "b", words.slice(0, 10).join(" "))));
    await done(store, insert(paragraph("middle", "b", longText())));
    await done(store, insert(paragraph("last", "b", words.slice(10).join(" "))));
    for (const [index] of words.entries()) {
      await done(
        store,
        insert(page(`p${index}`), paragraph(`c${index}`, `p${index}`, without(index))),
      );
    }
    assertEquals(await found(store, words.join(" ")), ["a", "b"]);
    assertEquals(await found(store, words.toReversed().join(" ")), ["a", "b"]);
  });

  test("findWords() finds words of a long title beside any of its page, of which each part has its beginning", async (store) => {
    const titled = (word: string) => Array.from({ length: 300 }, (_, i) => `${word}${i}`).join(" ");
    const lasting = async () =>
      (await store.words(W, ["a"])).parts.map(({ title }) => title.length).filter((length) =>
        length > 500
      );
    await done(store, insert(page("a", { title: titled("gull") })));
    await done(store, insert(paragraph("middle", "a", longText())));
    await done(store, insert(paragraph("last", "a", "omega")));
    assert((await store.words(W, ["a"])).parts.length > 1);
    assertEquals((await lasting()).length, 1);
    assertEquals(await found(store, "gull0 omega w0"), ["a"]);
    assertEquals(await found(store, '"gull298 gull299" omega'), ["a"]);
    assertEquals(await found(store, "gull299 gull0", { inTitle: true }), ["a"]);
    const { doc } = page("a");
    const edit = { time: FIRST.time, by: "ann" };
    const change = { op: "update", id: "a", version: 1, title: titled("tern"), doc } as const;
    await done(store, [{ ...change, hasMentions: false, edit }]);
    assertEquals((await lasting()).length, 1);
    assertEquals(await found(store, "tern299 omega"), ["a"]);
    assertEquals(await found(store, "gull0"), []);
  });

  test("findWords() finds words of a title beside any of a very long page, though its last parts have none", async (store) => {
    const blocks = Array.from({ length: 80 }, (_, index) => {
      return paragraph(`b${index}`, "a", `unique${index} ${"gulls ".repeat(800)}`);
    });
    await done(store, insert(page("a", { title: "Grey harbour" }), ...blocks));
    await done(store, insert(page("b", { title: "Grey" }), paragraph("c", "b", "unique79")));
    assert((await store.words(W, ["a"])).parts.length >= 80);
    assertEquals(await found(store, "harbour unique79"), ["a"]);
    assertEquals(await found(store, "grey unique79"), ["a", "b"]);
    assertEquals(await found(store, "harbour unique3"), ["a"]);
    // Whatever part is met tells the title, by which results are put in order.
    const titles = async () =>
      new Set((await store.words(W, ["a"])).parts.map(({ title }) => title));
    assertEquals(await titles(), new Set([" grey harbour "]));
    await done(store, [edit("b79", "terns"), edit("b40", "puffins")]);
    assertEquals(await found(store, "unique79"), ["b"]);
    assertEquals([await found(store, "harbour terns"), await found(store, "harbour puffins")], [
      ...[["a"], ["a"]],
    ]);
    const { doc } = page("a");
    const renamed = { op: "update", id: "a", version: 1, title: "Quay", doc } as const;
    await done(store, [{ ...renamed, hasMentions: false, edit: { time: FIRST.time, by: "ann" } }]);
    assertEquals(await titles(), new Set([" quay "]));
    assertEquals([await found(store, "quay terns"), await found(store, "harbour")], [["a"], []]);
    assertEquals(await found(store, "quay", { inTitle: true }), ["a"]);
    await done(store, [trash("b40", 2)]);
    assertEquals(await found(store, "puffins"), []);
  });

  test("findWords() finds a block that is too long for the index by its first words", async (store) => {
    const words = Array.from({ length: 120_000 }, (_, index) => `${10_000_000 + index}`).join(" ");
    const long = paragraph("long", "a", `gulls ${words}`);
    await done(
      store,
      insert(page("a", { title: "Harbour" }), long, paragraph("last", "a", "omega")),
    );
    assertEquals(await found(store, "harbour gulls 10000000"), ["a"]);
    assertEquals(await found(store, "omega gulls"), ["a"]);
    await done(store, [edit("long", `terns ${words}`)]);
    assertEquals([await found(store, "terns"), await found(store, "gulls")], [["a"], []]);
  });

  test("findWords() follows edits, deletions and restored pages", async (store) => {
    const child = below(page("a"), page("c", { title: "Quay" }));
    await done(store, insert(page("a", { title: "Harbour" }), paragraph("b", "a", "Gulls"), child));
    await done(store, [edit("b", "Terns")]);
    assertEquals([await found(store, "gulls"), await found(store, "terns")], [[], ["a"]]);
    await done(store, [trash("b", 2)]);
    assertEquals(await found(store, "terns"), []);
    await done(store, [trash("a")]);
    assertEquals([await found(store, "harbour"), await found(store, "quay")], [[], []]);
    await done(store, [restore("a")]);
    assertEquals([await found(store, "harbour"), await found(store, "quay")], [["a"], ["c"]]);
    assertEquals(await found(store, "terns"), []);
    await done(store, [restore("b", 3)]);
    assertEquals(await found(store, "terns"), ["a"]);
  });

  test("findWords() follows a commit that edits pages of one part and of several", async (store) => {
    const nodes = ["a", "b", "c"].flatMap((id) => [
      page(id, { title: "Harbour" }),
      ...(id === "b" ? [paragraph("b long", "b", longText())] : []),
      paragraph(`${id} birds`, id, "Gulls"),
    ]);
    await done(store, insert(...nodes));
    await done(store, [
      edit("a birds", "Terns"),
      edit("b birds", "Terns"),
      edit("c birds", "Auks"),
    ]);
    assertEquals([await found(store, "gulls"), await found(store, "auks")], [[], ["c"]]);
    assertEquals([await found(store, "terns"), await found(store, "w1499")], [["a", "b"], ["b"]]);
  });

  test("findWords() finds what became of nodes in the commit that made them", async (store) => {
    const words = [paragraph("b", "a", "Gulls"), paragraph("c", "a", "Waders")];
    const made = insert(page("a", { title: "Harbour" }), ...words, page("d", { title: "Quay" }));
    await done(store, [...made, edit("b", "Terns"), trash("c"), trash("d")]);
    assertEquals([await found(store, "gulls"), await found(store, "terns")], [[], ["a"]]);
    assertEquals([await found(store, "waders"), await found(store, "quay")], [[], []]);
    await done(store, [restore("c"), restore("d")]);
    assertEquals([await found(store, "waders"), await found(store, "quay")], [["a"], ["d"]]);
  });

  test("findWords() finds nothing that a rejected commit would have written", async (store) => {
    await done(store, insert(page("a", { title: "Harbour" })));
    const changes = [...insert(page("b", { title: "Quay" })), trash("a", 9)];
    assertEquals(await store.commit(W, changes), "conflict");
    assertEquals(await found(store, "quay"), []);
    await done(store, insert(page("c", { title: "Pier" })));
    assertEquals([await found(store, "harbour"), await found(store, "pier")], [["a"], ["c"]]);
  });

  test("findWords() knows what pages hang from, and its own workspace alone", async (store) => {
    const top = page("a", { title: "One" });
    const middle = below(top, page("b", { title: "One" }));
    const table = below(middle, page("c", { title: "One", kind: "database" }));
    await done(store, insert(top, middle, table));
    assertEquals(await store.commit("other", insert(page("z", { title: "One" }))), "committed");
    assertEquals(await found(store, "one"), ["a", "b", "c"]);
    assertEquals(await found(store, "one", { scope: { kind: "page" } }), ["a", "b"]);
    assertEquals(await found(store, "one", { scope: { parentId: "a" } }), ["b"]);
    assertEquals(await found(store, "one", { scope: { ancestorId: "a" } }), ["b", "c"]);
    assertEquals(await found(store, [], { scope: { ancestorId: "a", kind: "database" } }), ["c"]);
    assertEquals((await store.words("other", ["a", "z"])).parts.map(({ id }) => id), ["z"]);
  });

  test("findWords() gives newer pages first and says where the rest begins", async (store) => {
    for (const id of ["a", "b", "c"]) await done(store, insert(page(id, { title: "One" })));
    const phrases = readPhrases("one");
    const ask = async (bounds: { readonly from?: number; readonly before?: number }, limit = 2) => {
      const query = { phrases, match: "all", scope: {}, ...bounds, limit } as const;
      const { matches, rest } = await store.findWords(W, query);
      return { ids: matches.map(({ id }) => id), nos: matches.map(({ no }) => no), rest };
    };
    const first = await ask({});
    assertEquals(first.ids, ["c", "b"]);
    assertEquals(first.rest, first.nos[1]);
    assert(first.rest !== undefined);
    assertEquals((await ask({ before: first.rest })).ids, ["a"]);
    assertEquals((await ask({ from: first.rest }, 9)).ids, ["c", "b"]);
  });

  test("findWords() finds pages with the beginnings of many words, newest first, in pieces", async (store) => {
    const words = ["amber", "birch", "cedar", "dune", "elm", "fern", "gull", "heath", "iris"];
    const phrases = words.map((word): Phrase => ({ terms: [word.slice(0, 3)], isPrefix: true }));
    const expected: string[] = [];
    for (let number = 0; number < 400; number++) {
      const id = `p${String(number).padStart(3, "0")}`;
      // A third of the pages have all of the words, and each of the others lacks one.
      const missing = number % 3 === 0 ? undefined : words[number % words.length];
      const content = words.filter((word) => word !== missing).map((word) => `${word}s`).join(" ");
      await done(store, insert(page(id), paragraph(`${id}b`, id, content)));
      if (missing === undefined) expected.unshift(id);
    }
    const ids: string[] = [];
    for (let before: number | undefined = Infinity; before !== undefined;) {
      const query = { phrases, match: "all", scope: {}, limit: 50 } as const;
      const bounds = before === Infinity ? {} : { before };
      const { matches, rest } = await store.findWords(W, { ...query, ...bounds });
      ids.push(...matches.map(({ id }) => id));
      before = rest;
    }
    assertEquals(ids, expected);
  });

  test("findWords() stops once the texts are long, and says where the rest begins", async (store) => {
    const text = "gulls ".repeat(350_000);
    for (const id of ["a", "b", "c"]) {
      await done(store, insert(page(id, { title: "One" }), paragraph(`${id}1`, id, text)));
    }
    const ask = async (bounds: { readonly before?: number }) => {
      const query = { phrases: readPhrases("gulls"), match: "all", scope: {}, limit: 300 } as const;
      const { matches, rest } = await store.findWords(W, { ...query, ...bounds });
      return { ids: matches.map(({ id }) => id), rest };
    };
    const first = await ask({});
    assertEquals(first.ids, ["c", "b"]);
    assert(first.rest !== undefined);
    assertEquals(await ask({ before: first.rest }), { ids: ["a"], rest: undefined });
  });

  test("findWords() finds a long phrase to its last word, which may be a beginning", async (store) => {
    const words = Array.from({ length: 12 }, (_, n) => `w${n}`).join(" ");
    await done(store, insert(page("a"), paragraph("a1", "a", `${words} gulls cry`)));
    await done(store, insert(page("b"), paragraph("b1", "b", `${words} owls cry`)));
    await done(store, insert(page("c", { title: `${words} owls` })));
    assertEquals(await found(store, `"${words}"`), ["a", "b", "c"]);
    assertEquals(await found(store, `"${words} gulls"`), ["a"]);
    assertEquals(await found(store, `"${words} owls"`, { match: "any" }), ["b", "c"]);
    assertEquals(await found(store, `"${words} owls"`, { inTitle: true }), ["c"]);
    const phrase = { terms: [...words.split(" "), "gu"], isPrefix: true };
    assertEquals(await found(store, [phrase]), ["a"]);
    assertEquals(await found(store, [{ ...phrase, isPrefix: false }]), []);
  });

  test("findWords() finds words of different parts of a page that is too long to be read at once", async (store) => {
    const fillers = Array.from(
      { length: 3 },
      (_, index) => paragraph(`filler${index}`, "b", `w${index} ${"gulls ".repeat(300_000)}`),
    );
    await done(store, insert(page("a", { title: "Short" }), paragraph("a1", "a", longText())));
    await done(store, insert(paragraph("a2", "a", "alpha"), paragraph("a3", "a", longText())));
    await done(store, insert(paragraph("a4", "a", "omega")));
    await done(store, insert(page("b", { title: "Long" }), paragraph("b1", "b", "alpha")));
    for (const block of [...fillers, paragraph("b2", "b", "omega")]) {
      await done(store, insert(block));
    }
    const ask = async (query: string, before?: number) => {
      const { matches, rest } = await store.findWords(W, {
        phrases: readPhrases(query),
        match: "all",
        scope: {},
        limit: 300,
        ...(before !== undefined && { before }),
      });
      const ids = [...new Set(matches.map(({ id }) => id))];
      return { ids, rest, length: matches.reduce((sum, { body }) => sum + body.length, 0) };
    };
    const first = await ask("alpha omega");
    assertEquals(first.ids, ["b"]);
    assert(first.length < 4_000_000 && first.rest !== undefined);
    assertEquals((await ask("alpha omega", first.rest)).ids, ["a"]);
    assertEquals((await ask("w0 w2 omega")).ids, ["b"]);
    assertEquals((await ask("w0 w3 omega")).ids, ["a"]);
  });

  test("words() returns the parts of pages in order, as many as fit, and where the next begin", async (store) => {
    const text = "gulls ".repeat(100_000);
    const blocks = (id: string) =>
      [1, 2, 3].map((n) => paragraph(`${id}${n}`, id, `w${n} ${text}`));
    for (const id of ["a", "b"]) await done(store, insert(page(id), ...blocks(id)));
    const all: string[] = [];
    let [ids, from, answers] = [["b", "a"], 0, 0];
    while (ids.length > 0) {
      const { parts, next } = await store.words(W, ids, from);
      all.push(...parts.map(({ id, body }) => `${id} ${body.match(/w\d/)?.[0]}`));
      ids = next === undefined ? [] : ids.slice(ids.indexOf(next.id));
      from = next?.part ?? 0;
      answers++;
    }
    assertEquals(all, ["b w1", "b w2", "b w3", "a w1", "a w2", "a w3"]);
    assert(answers > 2);
  });

  test("wordStatistics() counts the parts with each phrase", async (store) => {
    assertEquals(await store.wordStatistics(W, readPhrases("one two")), {
      parts: 0,
      length: 0,
      counts: [0, 0],
    });
    await done(store, insert(page("a", { title: "One two" })));
    await done(store, insert(page("b", { title: "One" })));
    assertEquals(await store.wordStatistics(W, readPhrases('"one" two "none"')), {
      parts: 2,
      length: 3,
      counts: [2, 1, 0],
    });
  });

  test("timeline() follows the order of edits or of creation, equal ones by id", async (store) => {
    const at = (editedTime: number, members: Partial<Node> = {}) => ({ editedTime, ...members });
    await done(store, insert(page("a", at(3)), page("b", at(1)), page("c", at(2))));
    await done(store, insert(page("d", at(2, { kind: "database", title: "Other" }))));
    await done(store, insert(page("e", at(9))));
    await done(store, [trash("e")]);
    const ids = async (query: Partial<Parameters<Store["timeline"]>[1]> = {}) => {
      const order = { by: "editedTime", direction: "descending" } as const;
      const usual = { ...order, limit: 9 };
      return (await store.timeline(W, { ...usual, ...query })).map(({ id }) => id);
    };
    assertEquals(await ids(), ["a", "d", "c", "b"]);
    assertEquals(await ids({ direction: "ascending" }), ["b", "c", "d", "a"]);
    assertEquals(await ids({ limit: 2, after: { time: 2, id: "d" } }), ["c", "b"]);
    assertEquals(await ids({ kind: "page" }), ["a", "c", "b"]);
    assertEquals(await ids({ ids: ["b", "d", "e", "c"] }), ["d", "c", "b"]);
    const behind = { after: { time: 2, id: "d" }, limit: 1 };
    assertEquals(await ids({ ids: ["a", "b", "c", "d"], ...behind }), ["c"]);
    await done(store, insert(page("f", { createdTime: FIRST.time + 5, editedTime: 0 })));
    await done(store, insert(page("g", { createdTime: FIRST.time - 5, editedTime: 0 })));
    const created = await ids({ by: "createdTime" });
    assertEquals([created[0], created.at(-1), created.length], ["f", "g", 6]);
    const after = { time: FIRST.time, id: "a" };
    assertEquals(await ids({ by: "createdTime", after, kind: "page" }), ["g"]);
    assertEquals(await ids({ by: "createdTime", direction: "ascending", limit: 1 }), ["g"]);
    await done(store, [trash("f"), trash("g")]);
    assertEquals(await ids({ by: "createdTime", direction: "ascending" }), ["a", "b", "c", "d"]);
  });

  test("pageFacts() tells of pages and databases outside the trash what filters read", async (store) => {
    const top = page("top", { createdBy: "ann", editedBy: "bob", createdTime: 1, editedTime: 2 });
    const row = below(top, page("inner", { createdBy: "eve" }));
    await done(store, insert(top, row, paragraph("text", "top", "x"), page("gone")));
    await done(store, [trash("gone")]);
    const facts = await store.pageFacts(W, ["top", "inner", "text", "gone", "nobody's"]);
    assertEquals(facts.map(({ id }) => id).toSorted(), ["inner", "top"]);
    const [inner, outer] = facts.toSorted((a, b) => a.id < b.id ? -1 : 1);
    assertEquals({ ...outer, isBelow: undefined }, {
      id: "top",
      kind: "page",
      parentId: null,
      createdTime: 1,
      createdBy: "ann",
      editedTime: 2,
      editedBy: "bob",
      isBelow: undefined,
    });
    assertEquals([inner?.parentId, inner?.isBelow("top"), inner?.isBelow("gone")], [
      ...["top", true, false],
    ]);
    assertEquals(outer?.isBelow("top"), false);
    assertEquals(await store.pageFacts("other", ["top", "inner"]), []);
  });

  dueContract(test);
}

function dueContract(test: StoreTest): void {
  const lease = { now: 1_000, until: 2_000, limit: 10 };

  test("takeDue() gives each changed page once, and again when its lease has ended", async (store) => {
    await done(store, insert(page("a"), paragraph("b", "a", "one")));
    assertEquals(await store.dueWorkspaces(), [W]);
    const [due, ...others] = await store.takeDue(W, lease);
    assertEquals([due?.id, others], ["a", []]);
    assertEquals(await store.takeDue(W, lease), []);
    assertEquals(await store.countDue(W), 1);
    assertEquals(await store.takeDue(W, { ...lease, now: 2_000, until: 3_000 }), [
      ...(due ? [due] : []),
    ]);
    assertEquals([await store.countDue("other"), await store.takeDue("other", lease)], [0, []]);
  });

  test("releaseDue() ends a lease, and leaves the page in the queue", async (store) => {
    await done(store, insert(page("a"), page("b")));
    const taken = await store.takeDue(W, { ...lease, limit: 1 });
    assertEquals(await store.writtenWorkspaces(), [W]);
    const rest = await store.takeDue(W, lease);
    assertEquals([rest.length, await store.writtenWorkspaces()], [1, []]);
    await store.releaseDue(W, taken);
    assertEquals(await store.writtenWorkspaces(), [W]);
    assertEquals(await store.takeDue(W, lease), taken);
    assertEquals(await store.countDue(W), 2);
  });

  test("takeDue() returns changed pages before those that a new space needs", async (store) => {
    await done(store, insert(page("a"), page("b"), page("c")));
    await store.finishDue(W, await store.takeDue(W, lease));
    await store.addSpace(W, { number: 1, embedder: "local", parts: 3 });
    await store.fillSpace(W, 1, 10);
    assertEquals([await store.dueWorkspaces(), await store.writtenWorkspaces()], [[W], []]);
    const { doc } = page("c");
    const change = { op: "update", id: "c", version: 1, title: "New", doc } as const;
    const edit = { time: FIRST.time, by: "ann" };
    await done(store, [{ ...change, hasMentions: false, edit }]);
    assertEquals(await store.writtenWorkspaces(), [W]);
    const first = await store.takeDue(W, { ...lease, limit: 1 });
    assertEquals(first.map(({ id }) => id), ["c"]);
    assertEquals(await store.writtenWorkspaces(), []);
    assertEquals((await store.takeDue(W, lease)).map(({ id }) => id).toSorted(), ["a", "b"]);
  });

  test("finishDue() keeps pages that have changed again", async (store) => {
    await done(store, insert(page("a"), page("b"), paragraph("c", "a", "one")));
    const due = await store.takeDue(W, lease);
    await done(store, [edit("c", "two")]);
    await store.finishDue(W, due);
    assertEquals(await store.countDue(W), 1);
    const again = await store.takeDue(W, lease);
    assertEquals(again.map(({ id }) => id), ["a"]);
    await store.finishDue(W, again);
    assertEquals([await store.countDue(W), await store.dueWorkspaces()], [0, []]);
  });
}

const WORDS = ["alpha", "alphabet", "beta", "東京都", "京都", "été", "🚀", "AND", "NEAR", "x*y"];
const content = fc.array(fc.constantFrom(...WORDS, ".", '"'), { maxLength: 6 })
  .map((words) => words.join(" "));
const wild = fc.string({
  unit: fc.constantFrom(..."ab\"*:^-(){}+~ \0'%_§東👍é\uD800"),
  maxLength: 12,
});
const query = fc.oneof(content, wild, fc.string({ unit: "binary", maxLength: 8 }));

/** The content of a page: its title and the texts of its blocks. */
interface Sample {
  readonly title: string;
  readonly blocks: readonly string[];
}

const samples = fc.array(
  fc.record({ title: content, blocks: fc.array(content, { maxLength: 3 }) }),
  { minLength: 1, maxLength: 5 },
);

/** The slow and obvious way: every phrase somewhere, or any. */
function fits(
  { title, blocks }: Sample,
  phrases: readonly Phrase[],
  match: "all" | "any",
): boolean {
  const occurs = (phrase: Phrase) =>
    [title, ...blocks].some((text) => atOnce(occurrencesIn([phrase], text)).length > 0);
  return match === "all" ? phrases.every(occurs) : phrases.some(occurs);
}

function nodesOf({ title, blocks }: Sample, index: number): Node[] {
  const id = `p${index}`;
  return [
    page(id, { title }),
    ...blocks.map((text, at) => ({ ...paragraph(`${id}b${at}`, id, text), position: `${at}` })),
  ];
}

export function searchModelContract(name: string, open: OpenStore): void {
  Deno.test(`${name}: findWords() finds for any text just what the obvious way finds`, async () => {
    await fc.assert(
      fc.asyncProperty(samples, fc.array(query, { maxLength: 12 }), async (pages, queries) => {
        const store = await open();
        try {
          for (const [index, sample] of pages.entries()) {
            await done(store, insert(...nodesOf(sample, index)));
          }
          const asked = queries.map((one) => readPhrases(one)).filter(({ length }) => length > 0);
          const inside = asked.map((some) =>
            some.map((one) => ({ ...one, isInside: true as const }))
          );
          for (const phrases of [...asked, ...inside]) {
            for (const match of ["all", "any"] as const) {
              const expected = pages.flatMap((sample, index) =>
                fits(sample, phrases, match) ? [`p${index}`] : []
              );
              assertEquals(await found(store, phrases, { match }), expected);
            }
          }
        } finally {
          await store.close();
        }
      }),
      { numRuns: 60 },
    );
  });
}
