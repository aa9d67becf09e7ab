import fc from "fast-check";
import { collectMentions, fillMentions } from "../../src/content/values/mentions.ts";
import { hasMentions, toRichText } from "../../src/content/values/rich_text.ts";
import { assertEquals } from "../assert.ts";
import { richText } from "./arbitraries.ts";

const ANA = "00000000-0000-4000-8000-00000000000a";
const BOB = "00000000-0000-4000-8000-00000000000b";
const PAGE = "00000000-0000-4000-8000-00000000000c";
const TABLE = "00000000-0000-4000-8000-00000000000d";

const NAMES = {
  users: new Map([[ANA, "Ana"], [BOB, null]]),
  titles: new Map([[PAGE, "Plans"], [TABLE, ""]]),
  urlOf: (kind: string, id: string) => `https://recto.test/v2/${kind}s/${id}`,
};

function filled(value: unknown): unknown {
  return JSON.parse(fillMentions(JSON.stringify(value), NAMES));
}

Deno.test("collectMentions() finds users, pages and databases at any depth", () => {
  const rows = [
    toRichText([{ mention: { user: { id: ANA } } }, { text: { content: ANA } }]),
    toRichText([{ mention: { page: { id: PAGE.toUpperCase() } } }]),
  ];
  const caption = toRichText([{ mention: { database: { id: TABLE } } }]);
  const mentioned = { users: new Set<string>(), nodes: new Set<string>() };
  collectMentions([{ cells: rows }, { caption, url: "x", n: null }], mentioned);
  assertEquals([...mentioned.users], [ANA]);
  assertEquals([...mentioned.nodes], [PAGE, TABLE]);
});

Deno.test("collectMentions() finds mentions exactly if hasMentions() does", () => {
  fc.assert(fc.property(richText, (input) => {
    const output = toRichText(input);
    const { users, nodes } = { users: new Set<string>(), nodes: new Set<string>() };
    collectMentions({ rich_text: output }, { users, nodes });
    assertEquals(users.size + nodes.size > 0, hasMentions(output));
  }));
});

Deno.test("fillMentions() fills in names, titles and URLs", () => {
  const items = toRichText([
    { mention: { user: { id: ANA } } },
    { mention: { page: { id: PAGE } } },
    { mention: { database: { id: TABLE } } },
  ]);
  const [user, page, database] = items;
  assertEquals(filled({ title: items }), {
    title: [
      { ...user, plain_text: "@Ana" },
      { ...page, plain_text: "Plans", href: `https://recto.test/v2/pages/${PAGE}` },
      { ...database, plain_text: "Untitled", href: `https://recto.test/v2/databases/${TABLE}` },
    ],
  });
});

Deno.test("fillMentions() has placeholders for unknown users and objects", () => {
  const items = toRichText([
    { mention: { user: { id: BOB } } },
    { mention: { user: { id: PAGE } } },
    { mention: { page: { id: ANA } } },
  ]);
  const [nameless, stranger, page] = items;
  assertEquals(filled(items), [
    { ...nameless, plain_text: "@Anonymous" },
    { ...stranger, plain_text: "@Anonymous" },
    { ...page, plain_text: "Untitled", href: `https://recto.test/v2/pages/${ANA}` },
  ]);
});

Deno.test("fillMentions() does not change anything else", () => {
  const withoutNames = richText.map(toRichText).filter((output) => !hasMentions(output));
  fc.assert(fc.property(withoutNames, (output) => {
    const doc = JSON.stringify({ rich_text: output, language: "plain text" });
    assertEquals(fillMentions(doc, NAMES), doc);
  }));
});
