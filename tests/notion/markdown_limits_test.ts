/**
 * Edits of Markdown that would take too much time or memory.
 *
 * @module
 */
import fc from "fast-check";
import { assert, assertEquals, assertRejects } from "../assert.ts";
import { editText, type MarkdownEdit, MAX_LENGTH } from "../../src/notion/markdown/edit_text.ts";
import { createTextFinder } from "../../src/notion/markdown/find_text.ts";
import { matchBlocks } from "../../src/notion/markdown/match_blocks.ts";
import { AppError } from "../../src/shared/errors.ts";
import type { Store } from "../../src/store/port.ts";
import { openStore } from "../support/stores.ts";
import { type AnyJson, newPage, type NotionApp, withNotion } from "./driver.ts";

const NOW = "2026-03-11";

interface Replacement {
  readonly old_str: string;
  readonly new_str: string;
  readonly replace_all_matches?: boolean;
}

function all(old_str: string, new_str: string): Replacement {
  return { old_str, new_str, replace_all_matches: true };
}

/** Makes a text a thousand times as long. */
const GROW = all("a", "a".repeat(1_000));

function updateOf(content_updates: Replacement[]): MarkdownEdit {
  return { type: "update_content", update_content: { content_updates } };
}

/** Asserts that an edit is refused and leaves the page as it was; returns the message. */
async function refusal(app: NotionApp, page: string, updates: Replacement[]): Promise<string> {
  const read = () => app.notion(`GET /pages/${page}/markdown`, undefined, NOW);
  const lastEdit = async () => (await app.notion(`GET /pages/${page}`)).last_edited_time;
  const before = [await read(), await lastEdit()];
  const error = await app.refused(`PATCH /pages/${page}/markdown`, updateOf(updates), NOW);
  assertEquals([error.status, error.code], [400, "validation_error"]);
  assertEquals([await read(), await lastEdit()], before);
  return error.message;
}

/** Returns the pointer of the error that an edit is refused with. */
async function pointerOf(markdown: string, updates: Replacement[]): Promise<string> {
  const error = await assertRejects(() => editText(markdown, updateOf(updates)), AppError);
  assertEquals(error.code, "validation_error");
  return (error.members as AnyJson).errors[0].pointer;
}

const TOO_LONG =
  'Replacing "a" makes the page\'s Markdown longer than 1048576 characters: append, update and delete blocks.';

Deno.test("replacements that multiply a text are refused before hundreds of millions of matches are there", () =>
  withNotion(async (app) => {
    const page = await newPage(app, "a".repeat(2_000));
    const updates = [all("a", "a".repeat(500)), all("a", "a".repeat(400)), all("a", "b")];
    assertEquals(await refusal(app, page, updates), TOO_LONG);
    assertEquals(
      await pointerOf("aa", [...updates.slice(0, 2), GROW]),
      "/update_content/content_updates/2/new_str",
    );
  }));

Deno.test("a text that would be longer than a string can be is refused as one that is too long", () =>
  withNotion(async (app) => {
    const page = await newPage(app, "a".repeat(1_000));
    assertEquals(await refusal(app, page, [GROW, GROW]), TOO_LONG);
  }));

Deno.test("edits that replace a million matches each are refused, though no text is too long", () =>
  withNotion(async (app) => {
    const page = await newPage(app, "a");
    const swaps = Array.from({ length: 98 }, (_, n) => n % 2 === 0 ? all("a", "b") : all("b", "a"));
    const updates = [GROW, GROW, ...swaps];
    assertEquals(
      await refusal(app, page, updates),
      "The edits replace more than 1048576 matches in all: send fewer of them in one request.",
    );
    assertEquals(await pointerOf("a", updates), "/update_content/content_updates/3/old_str");
  }));

Deno.test("a text may become as long as the limit, and no longer, even if a later edit shortens it", async () => {
  const text = "a".repeat(MAX_LENGTH - 2) + "b";
  for (const replace_all_matches of [true, false]) {
    const grow = (new_str: string) => ({ old_str: "b", new_str, replace_all_matches });
    const longest = await editText(text, updateOf([grow("bb")]));
    assert(longest === text + "b");
    assertEquals(
      await pointerOf(text, [grow("bcb"), all("b", "")]),
      "/update_content/content_updates/0/new_str",
    );
  }
});

Deno.test("other requests are served while a hundred edits search a long text", () =>
  withNotion(async (app) => {
    const page = await newPage(app, "ab");
    const swaps = Array.from({ length: 97 }, (_, n) => {
      const [old_str = "", new_str = ""] = n % 2 === 0 ? ["b", "c"] : ["c", "b"];
      return { old_str, new_str };
    });
    // The last one is not found, so that no time passes in a Worker that reads the text.
    const updates = [GROW, GROW, ...swaps, { old_str: "absent", new_str: "" }];
    let isDone = false;
    const refused = refusal(app, page, updates).finally(() => isDone = true);
    let served = 0;
    while (!isDone) {
      await app.notion(`GET /pages/${page}`);
      served++;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    assertEquals(await refused, 'The page\'s Markdown does not contain "absent".');
    assert(served > 20, `${served} requests`);
  }));

/** Returns how often a piece of work can pause. */
async function pausesOf(work: (rest: () => Promise<void>) => Promise<unknown>): Promise<number> {
  let pauses = 0;
  await work(() => {
    pauses++;
    return Promise.resolve();
  });
  return pauses;
}

const LONG = "a".repeat(1_000_000);

Deno.test("an edit of a long text can pause after every stretch of it", async () => {
  const stretches = Math.floor(LONG.length / 16_384);
  const pauses = await pausesOf((rest) => editText(`${LONG}b`, updateOf([all("b", "c")]), rest));
  assert(pauses >= 2 * stretches, `${pauses} pauses`);
  const long = { type: "insert_content", insert_content: { content: "c", after: "b" } } as const;
  const pausesOfRange = await pausesOf((rest) => editText(`${LONG}b`, long, rest));
  assert(pausesOfRange >= stretches, `${pausesOfRange} pauses`);
});

Deno.test("a text that repeats itself is looked for in a stretch at a time, too", async () => {
  const wanted = `${"a".repeat(250_000)}b${"a".repeat(250_000)}`;
  const pauses = await pausesOf(async (rest) => {
    const finder = await createTextFinder(wanted, rest);
    assertEquals(await finder.first(LONG), -1);
    assertEquals(await finder.first(`aa${wanted}`), 2);
  });
  assert(pauses > 100, `${pauses} pauses`);
});

Deno.test("matching long blocks can pause after each of them", async () => {
  const blocks = (first: number) =>
    Array.from({ length: 500 }, (_, n) => `${"x".repeat(2_000)}${first + n}`);
  const pauses = await pausesOf((rest) => matchBlocks(blocks(1_000), blocks(2_000), rest));
  assertEquals(pauses, 1_000);
  const same = await pausesOf((rest) => matchBlocks(blocks(1_000), blocks(1_000), rest));
  assertEquals(same, 500);
});

Deno.test("long blocks match if all of their text is equal", async () => {
  const long = (end: string) => `${"x".repeat(8_192)}${"y".repeat(20_000)}${end}`;
  const pairs = await matchBlocks(
    [long("a"), long("b"), "0,1", long("c")],
    [long("0"), long("b"), long("1"), long("c"), long("2")],
  );
  assertEquals(pairs, [[1, 1], [3, 3]]);
});

/** Texts before one that is searched, up to the end of a stretch or beyond it. */
const padding = fc.constantFrom("", "x".repeat(16_380), "x".repeat(16_384));

/** Texts of few letters, in which others are found often. */
function letters(maxLength: number, minLength = 0): fc.Arbitrary<string> {
  const letter = fc.constantFrom("a", "b", "$", "\ud800", "é", "漢");
  return fc.array(letter, { minLength, maxLength }).map((all) => all.join(""));
}

Deno.test("edits have the result of replacing all at once, one after the other", async () => {
  const update = fc.record({ old_str: letters(3, 1), new_str: letters(4) });
  const updates = fc.array(update, { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(padding, letters(40), updates, async (before, text, updates) => {
      const found: Replacement[] = [];
      let expected = before + text;
      for (const { old_str, new_str } of updates) {
        if (!expected.includes(old_str)) continue;
        expected = expected.replaceAll(old_str, () => new_str);
        found.push(all(old_str, new_str));
      }
      assertEquals(await editText(before + text, updateOf(found)), expected);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("one match is replaced, none and several are refused, as a search of the text finds them", async () => {
  await fc.assert(
    fc.asyncProperty(letters(8), letters(4, 1), letters(3), async (text, old_str, new_str) => {
      const edit = updateOf([{ old_str, new_str }]);
      const at = text.indexOf(old_str);
      if (at >= 0 && text.indexOf(old_str, at + 1) < 0) {
        assertEquals(await editText(text, edit), text.replace(old_str, () => new_str));
      } else {
        await assertRejects(() => editText(text, edit), AppError);
      }
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("the first match from any place is that of a search of the text", async () => {
  const rest = () => undefined;
  await fc.assert(
    fc.asyncProperty(
      padding,
      letters(30),
      letters(6),
      fc.nat(32),
      async (before, end, wanted, at) => {
        const finder = await createTextFinder(wanted, rest);
        const [text, from] = [before + end, before.length + at];
        assertEquals(await finder.first(text), text.indexOf(wanted));
        assertEquals(await finder.first(text, from), text.indexOf(wanted, from));
      },
    ),
    { numRuns: 1_000 },
  );
});

Deno.test("a page is not edited as Markdown if its text leaves out blocks, which would be deleted", async () => {
  const own = await openStore(":memory:");
  // As if each block had megabytes of documents behind little text.
  const store: Store = {
    ...own,
    smallContent: () => Promise.resolve(undefined),
    content: async (workspace, id) => {
      const found = await own.content(workspace, id);
      return found && {
        ...found,
        nodes: found.nodes.map((node) => ({ ...node, length: 9_000_000 })),
      };
    },
  };
  await withNotion(async (app) => {
    const page = await newPage(app, "- a\n    - b\n    - c\n\nd");
    const { markdown, truncated, unknown_block_ids } = await app.notion(
      `GET /pages/${page}/markdown`,
      undefined,
      NOW,
    );
    assertEquals([markdown.includes("b"), truncated, unknown_block_ids.length], [false, true, 2]);
    const message = await refusal(app, page, [{ old_str: "a", new_str: "e" }]);
    assert(message.startsWith("The page is too long to be edited as Markdown"), message);
  }, { store });
});
