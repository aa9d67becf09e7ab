import fc from "fast-check";
import * as v from "valibot";
import {
  hasMentions,
  plainText,
  richText as richTextSchema,
  richTextInput,
  richTextIssues,
  toRichText,
} from "../../src/content/values/rich_text.ts";
import { assert, assertEquals } from "../assert.ts";
import { richText } from "./arbitraries.ts";

function issues(input: unknown): string[] {
  const issues = v.safeParse(richTextInput, input).issues ?? [];
  return issues.map((issue) => `${v.getDotPath(issue)}: ${issue.expected}`);
}

const PLAIN = {
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: "default" as const,
};

Deno.test("toRichText() returns complete items in order, as the output schema requires", () => {
  fc.assert(fc.property(richText, (input) => {
    assert(v.is(richTextInput, input));
    assertEquals(richTextIssues(input, ""), []);
    const output = toRichText(input);
    assertEquals(v.parse(richTextSchema, output), output);
    for (const [index, item] of output.entries()) {
      const keys = ["type", item.type, "annotations", "plain_text", "href"];
      assertEquals(Object.keys(item), keys);
      assert(item.type in (input[index] ?? {}));
    }
  }));
});

Deno.test("toRichText() does not change texts", () => {
  fc.assert(fc.property(richText, (input) => {
    const texts = input.map((item) => "text" in item ? item.text.content : "");
    const output = toRichText(input);
    assertEquals(output.map((item) => item.type === "text" ? item.text.content : ""), texts);
    assertEquals(plainText(output), output.map((item) => item.plain_text).join(""));
  }));
});

Deno.test("toRichText() returns its own output unchanged", () => {
  fc.assert(fc.property(richText, (input) => {
    const output = toRichText(input);
    const sent: unknown = JSON.parse(JSON.stringify(output));
    assertEquals(toRichText(v.parse(richTextInput, sent)), output);
  }));
});

Deno.test("toRichText() reads text with its link", () => {
  const url = "https://example.com/";
  const text = { content: "hi", link: { url } };
  assertEquals(toRichText([{ text, annotations: { bold: true } }]), [
    { type: "text", text, annotations: { ...PLAIN, bold: true }, plain_text: "hi", href: url },
  ]);
});

Deno.test("toRichText() ignores the plain text and the URL that a client sends", () => {
  const output = toRichText([{ equation: { expression: "x^2" }, plain_text: "no", href: "no" }]);
  assertEquals(output, [{
    type: "equation",
    equation: { expression: "x^2" },
    annotations: PLAIN,
    plain_text: "x^2",
    href: null,
  }]);
});

Deno.test("plainText() includes mentions of days, templates and emoji", () => {
  const id = "0123456789abcdef0123456789abcdef";
  const output = toRichText([
    { mention: { date: { start: "2024-02-29" } } },
    { mention: { date: { start: "2024-02-29", end: "2024-03-01" } } },
    { mention: { template_mention: { template_mention_date: "today" } } },
    { mention: { template_mention: { template_mention_date: "now" } } },
    { mention: { template_mention: { template_mention_user: "me" } } },
    { mention: { custom_emoji: { id, name: "blob" } } },
    { mention: { custom_emoji: { id } } },
    { mention: { user: { id } } },
  ]);
  assertEquals(output.map((item) => item.plain_text), [
    "2024-02-29",
    "2024-02-29 → 2024-03-01",
    "@Today",
    "@Now",
    "@Me",
    ":blob:",
    "",
    "",
  ]);
});

Deno.test("hasMentions() finds only users, pages and databases", () => {
  const id = "0123456789abcdef0123456789abcdef";
  assert(hasMentions(toRichText([{ text: { content: "" } }, { mention: { user: { id } } }])));
  assert(hasMentions(toRichText([{ mention: { page: { id } } }])));
  assert(hasMentions(toRichText([{ mention: { database: { id } } }])));
  assert(!hasMentions(toRichText([{ mention: { date: { start: "2024-02-29" } } }])));
  assert(!hasMentions(toRichText([{ mention: { custom_emoji: { id } } }])));
});

Deno.test("richTextInput points at invalid members", () => {
  assertEquals(issues([{ text: { content: 1 } }]), ["0.text.content: string"]);
  assertEquals(issues([{ text: { content: "" }, mention: {} }]), ["0.mention: never"]);
  assertEquals(issues([{ type: "mention", text: { content: "" } }]), ['0.type: "text"']);
  assertEquals(issues([{ text: { content: "", link: { url: "" } } }]), ["0.text.link.url: >=1"]);
  assertEquals(issues([{ text: { content: "a".repeat(2001) } }]), ["0.text.content: <=2000"]);
  assertEquals(issues(new Array(101).fill({ text: { content: "" } })), [
    "null: <=100",
  ]);
  assertEquals(issues([{ equation: { expression: "a".repeat(1001) } }]), [
    "0.equation.expression: <=1000",
  ]);
});

Deno.test("richTextInput lists the types of mentions if a client sends a link preview", () => {
  const mention = { type: "link_preview", link_preview: { url: "https://example.com/" } };
  const kinds = ["user", "date", "page", "database", "template_mention", "custom_emoji"];
  assertEquals(issues([{ mention }]), [
    `0.mention.type: (${kinds.map((kind) => `"${kind}"`).join(" | ")})`,
    "0.mention.link_preview: never",
  ]);
});

Deno.test("richTextIssues() points at the issues of mentioned dates", () => {
  const input = [
    { text: { content: "" } },
    { mention: { date: { start: "2023-02-29" } } },
  ];
  assertEquals(richTextIssues(input, "/title"), [{
    pointer: "/title/1/mention/date/start",
    detail: "body failed validation: body.title[1].mention.date.start should be a day that " +
      'exists, instead was `"2023-02-29"`.',
  }]);
});
