/**
 * Bodies that are validated part by part.
 *
 * @module
 */
import { assertEquals } from "../assert.ts";
import { type Answer, withApp } from "../support/app.ts";
import { append, type BlockAnswer, childrenOf, newPage, paragraph } from "./driver.ts";

/** Blocks with very many texts in few bytes, at two levels. */
function crowded(count: number): object[] {
  const rich_text = Array.from({ length: 100 }, (_, n) => ({ text: { content: `${n}` } }));
  const block = { paragraph: { rich_text } };
  return Array.from({ length: count }, () => ({ paragraph: { rich_text, children: [block] } }));
}

/** Blocks of which the last one has a text that is none. */
function faulty(count: number): object[] {
  return [...crowded(count - 1), { paragraph: { rich_text: [{ text: { content: 1 } }] } }];
}

/** The text of a block. */
function textOf(block: BlockAnswer): string {
  // Sound because `crowded()` makes paragraphs alone.
  const { rich_text } = block.paragraph as { rich_text: readonly { plain_text: string }[] };
  return rich_text.map(({ plain_text }) => plain_text).join(" ");
}

/** Status, place and sentence of the first fault. */
function faultOf({ status, json }: Answer): readonly [number, string, string] {
  const [{ pointer, detail }] = json.errors;
  return [status, pointer, detail];
}

Deno.test("a large body of very many texts makes all of them", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const made = await append(app, page, { children: crowded(20) });
    const listed = await childrenOf(app, page);
    assertEquals(listed, made);
    const below = await Promise.all(listed.map(({ id }) => childrenOf(app, id)));
    const expected = Array.from({ length: 100 }, (_, n) => n).join(" ");
    const texts = [...listed, ...below.flat()].map(textOf);
    assertEquals(texts, Array.from({ length: 40 }, () => expected));
  }));

Deno.test("a fault behind many valid parts of a large body is refused, and nothing is written", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const body = { children: faulty(50) };
    const sentence = "body failed validation: " +
      "body.children[49].paragraph.rich_text[0].text.content should be a string, instead was `1`.";
    const pointer = "/children/49/paragraph/rich_text/0/text/content";
    const answer = await app.call(`PATCH /v2/blocks/${page}/children`, { body });
    assertEquals(faultOf(answer), [400, pointer, sentence]);
    const headers = { "notion-version": "2026-03-11" };
    const other = await app.call(`PATCH /v1/blocks/${page}/children`, { body, headers });
    assertEquals([other.status, other.json.message], [400, sentence]);
    const lines = [paragraph("valid"), ...faulty(50)].map((block) =>
      JSON.stringify({ parent: { page_id: page }, properties: {}, children: [block] })
    );
    const together = await app.call("POST /v2/pages", {
      body: lines.join("\n"),
      headers: { "content-type": "application/jsonl" },
    });
    const [status, place] = faultOf(together);
    assertEquals([status, place], [400, "/50/children/0/paragraph/rich_text/0/text/content"]);
    assertEquals(await childrenOf(app, page), []);
  }));

Deno.test("an empty list in place of an object is refused, in small bodies and in large ones", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    for (const others of [[], crowded(20)]) {
      const body = { children: [...others, { divider: [] }] };
      const place = `body.children[${others.length}].divider`;
      assertEquals(faultOf(await app.call(`PATCH /v2/blocks/${page}/children`, { body })), [
        400,
        `/children/${others.length}/divider`,
        `body failed validation: ${place} should be an object, instead was \`[]\`.`,
      ]);
    }
    assertEquals(await childrenOf(app, page), []);
  }));
