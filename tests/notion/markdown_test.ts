/**
 * Reading and editing pages as Markdown through `/v1`.
 *
 * @module
 */
import fc from "fast-check";
import { assert, assertEquals } from "../assert.ts";
import { matchBlocks } from "../../src/notion/markdown/match_blocks.ts";
import { editText } from "../../src/notion/markdown/edit_text.ts";
import { type AnyJson, newPage, type NotionApp, withNotion } from "./driver.ts";

const NOW = "2026-03-11";

async function blockIds({ notion }: NotionApp, page: string): Promise<string[]> {
  const { results } = await notion(`GET /blocks/${page}/children`, undefined, NOW);
  return results.map(({ id }: AnyJson) => id);
}

async function edited(app: NotionApp, page: string, edit: object): Promise<string> {
  const reply = await app.notion(`PATCH /pages/${page}/markdown`, edit, NOW);
  const read = await app.notion(
    `GET /pages/${page}/markdown?include_transcript=true`,
    undefined,
    NOW,
  );
  assertEquals(reply, read);
  return read.markdown;
}

Deno.test("an edit of the text changes the blocks that it touches, and no others", () =>
  withNotion(async (app) => {
    const page = await newPage(app, "# One\n\nTwo\n\n- a\n- b\n\nLast\n");
    const before = await blockIds(app, page);
    const content_updates = [{ old_str: "Two", new_str: "Zwei" }, { old_str: "b", new_str: "c" }];
    const text = await edited(app, page, {
      type: "update_content",
      update_content: { content_updates },
    });
    assertEquals(text, "# One\nZwei\n- a\n- c\nLast\n");
    const after = await blockIds(app, page);
    assertEquals(after.map((id, i) => id === before[i]), [true, false, true, false, true]);
  }));

Deno.test("content is inserted at the start, at the end, and behind a selection", () =>
  withNotion(async (app) => {
    const page = await newPage(app, "One\n\nTwo\n");
    const before = await blockIds(app, page);
    const insert = (insert_content: object) =>
      edited(app, page, { type: "insert_content", insert_content });
    await insert({ content: "End" });
    await insert({ content: "Start", position: { type: "start" } });
    const text = await insert({ content: "- [ ] Middle", after: "On...e" });
    assertEquals(text, "Start\nOne\n- [ ] Middle\nTwo\nEnd\n");
    const after = await blockIds(app, page);
    assertEquals(before.every((id) => after.includes(id)), true);
  }));

Deno.test("a range and the whole can be replaced, but child pages only if that is said", () =>
  withNotion(async (app) => {
    const { notion, refused } = app;
    const page = await newPage(app, "One\n\nTwo\n\nThree\n");
    const text = await edited(app, page, {
      type: "replace_content_range",
      replace_content_range: { content: "2", content_range: "Tw...Three" },
    });
    assertEquals(text, "One\n2\n");
    const child = await notion("POST /pages", {
      parent: { page_id: page },
      properties: { title: [{ text: { content: "Child" } }] },
    }, NOW);
    const replace = (more: object = {}) => ({
      type: "replace_content",
      replace_content: { new_str: "New", ...more },
    });
    const { code, message } = await refused(`PATCH /pages/${page}/markdown`, replace(), NOW);
    assertEquals([code, message], [
      "validation_error",
      'The edit would delete child pages or databases: "Child". Set allow_deleting_content to true if that is intended.',
    ]);
    assertEquals((await blockIds(app, page)).length, 3);
    assertEquals(await edited(app, page, replace({ allow_deleting_content: true })), "New\n");
    assertEquals((await notion(`GET /pages/${child.id}`, undefined, NOW)).in_trash, true);
  }));

Deno.test("an edit that does not find its place, or finds two, changes nothing", () =>
  withNotion(async (app) => {
    const page = await newPage(app, "a a\n");
    const { id: row } = await app.notion("GET /users/me");
    const update = (update: object) => ({
      type: "update_content",
      update_content: { content_updates: [update] },
    });
    const refusal = async (edit: object, id = page) =>
      (await app.refused(`PATCH /pages/${id}/markdown`, edit, NOW)).message;
    assertEquals(
      await refusal(update({ old_str: "b", new_str: "c" })),
      'The page\'s Markdown does not contain "b".',
    );
    assertEquals(
      await refusal(update({ old_str: "a", new_str: "c" })),
      'The page\'s Markdown contains "a" more than once: give more of the text around it.',
    );
    assert(
      (await refusal({ type: "x" })).startsWith("body failed validation: body.type should be"),
    );
    assert((await refusal(update({ old_str: "a", new_str: "c" }), row)).includes("Could not find"));
    const all = update({ old_str: "a", new_str: "c", replace_all_matches: true });
    assertEquals(await edited(app, page, all), "c c\n");
  }));

Deno.test("matched blocks are equal, in order, and none could be added", async () => {
  const texts = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
  await fc.assert(fc.asyncProperty(texts, texts, async (old, fresh) => {
    const pairs = await matchBlocks(old, fresh);
    pairs.forEach(([a, b], index) => {
      assertEquals(old[a], fresh[b]);
      const [nextA = Infinity, nextB = Infinity] = pairs[index + 1] ?? [];
      assert(a < nextA && b < nextB);
    });
    const longest = (a: readonly string[], b: readonly string[]): number => {
      const row = new Array<number>(b.length + 1).fill(0);
      for (const x of a) {
        let corner = 0;
        for (let j = 1; j <= b.length; j++) {
          const above = row[j] ?? 0;
          row[j] = x === b[j - 1] ? corner + 1 : Math.max(above, row[j - 1] ?? 0);
          corner = above;
        }
      }
      return row.at(-1) ?? 0;
    };
    assertEquals(pairs.length, longest(old, fresh));
  }));
});

Deno.test("a text without its marks is replaced as it stands", async () => {
  for (const replace_all_matches of [true, false]) {
    const update = { old_str: "$1", new_str: "$&", replace_all_matches };
    assertEquals(
      await editText("x $1 y", {
        type: "update_content",
        update_content: { content_updates: [update] },
      }),
      "x $& y",
    );
  }
});
