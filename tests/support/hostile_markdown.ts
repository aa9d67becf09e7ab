/**
 * Generates many kinds of Markdown that are slow to parse, as attackers send them.
 *
 * @module
 */

/** Generators by kind, each for a text of about this many characters. */
export const HOSTILE_KINDS: Readonly<Record<string, (length: number) => string>> = {
  "emphasis that never ends": (length) => times("*a_", length),
  "emphasis in emphasis": (length) => times("*a **a ", length / 2) + times("a** a*", length / 2),
  "closers without openers": (length) => times("a_ a* ", length),
  "pairs around closers": (length) =>
    "*".repeat(length / 4) + times("_ a", length / 2) + "*".repeat(length / 4),
  "runs of marks": (length) => times("a**b_____c***", length),
  "strikethrough": (length) => times("~a ~~b ", length),
  "open brackets": (length) => "[".repeat(length),
  "closing brackets": (length) => times("a]", length),
  "links that break off": (length) => times("[a](b", length),
  "links in links": (length) => times("[", length / 2) + times("](b)", length / 2),
  "images in images": (length) => times("![", length / 3) + times("](b)", 2 * length / 3),
  "angles in links": (length) => times("[a](<b", length),
  "references": (length) => times("[a][a] ", length) + "\n\n[a]: /b",
  "definitions": (length) => numbered((index) => `[${index}]: /${index}\n`, length),
  "a definition in many lines": (length) => `[a]: /b "${times("c\n", length)}`,
  "footnotes": (length) => numbered((index) => `[^${index}]: a[^${index}]\n\n`, length),
  "quotes in quotes": (length) => times(`${"> ".repeat(16)}a\n\n`, length),
  "a deep quote": (length) => ">".repeat(length),
  "lists in lists": (length) =>
    Array.from({ length: Math.sqrt(length) }, (_, level) => `${" ".repeat(2 * level)}- a\n`).join(
      "",
    ),
  "many markers in a line": (length) => times(`${"- ".repeat(40)}a\n`, length),
  "lazy lines": (length) => `> ${times("a\n", length)}`,
  "lists and quotes in turns": (length) => times("> - 1. ", 200) + times("a\n\n> - b\n", length),
  "underlined headings": (length) => times("a\n=\n", length),
  "a heading of many lines": (length) => `${times("a\n", length)}===`,
  "open fences": (length) => times("```a\n", length),
  "backticks of every length": (length) =>
    numbered((index) => `${"`".repeat(index % 400)} a `, length),
  "a wide table": (length) => {
    const width = length / 8;
    return `${times("|a", 2 * width)}|\n${times("|-", 2 * width)}|\n${times("|a", 2 * width)}|`;
  },
  "rows of bars": (length) => `|a|b|\n|-|-|\n${times(`${"|".repeat(200)}\n`, length)}`,
  "almost tables": (length) => times("a | b\n", length) + "- | -",
  "open comments": (length) => times("a <!-- b ", length),
  "open instructions": (length) => times("a <? b <![CDATA[ c <!A ", length),
  "open tags": (length) => times('<a b="', length),
  "many tags": (length) => times("<u><span><details>", length),
  "entities": (length) => times("&amp;&#x41;&zzzzzz;&", length),
  "backslashes": (length) => times("\\*\\[", length),
  "addresses": (length) => times("www.a.b ", length),
  "one long address": (length) => `www.${times("a.", length)}`,
  "addresses with brackets": (length) => `https://a.b/${times("(&a;", length)}`,
  "mail": (length) => times("a@b.", length),
  "one long mail": (length) => `${times("a.", length / 2)}@${times("b-", length / 2)}`,
  "dollars": (length) => times("$a $$b ", length),
  "formulas that never end": (length) => numbered((i) => `${"$".repeat(i % 300 + 1)} a `, length),
  "open formula blocks": (length) => times("$$\na\n\n> $$\n", length),
  "front matter": (length) => `---\na: [${times("[", length)}\n---\n`,
  "front matter of anchors": () =>
    `---\na: &a [1,1,1,1,1,1,1,1]\n${
      Array.from({ length: 30 }, (_, level) => {
        const before = level === 0 ? "a" : `b${level - 1}`;
        return `b${level}: &b${level} [${times(`*${before},`, 40)}]`;
      }).join("\n")
    }\n---\n`,
  "line ends": (length) => times("a  \n", length),
  "tabs": (length) => times("-\ta\n\t\tb\n", length),
  "spaces": (length) => `a${" ".repeat(length / 2)}b${" ".repeat(length / 2)}`,
  "marks of other lines": (length) => times("* _ * _\n- - -\n", length),
  "headings": (length) => times("# a\n", length),
  "zeros and surrogates": (length) => times("\u{1f600}*\u{1f600}_", length),
};

/** Generates this many hostile texts, cycling through kinds and lengths. */
export function hostileTexts(count: number, lengths: readonly number[]): readonly string[] {
  const kinds = Object.values(HOSTILE_KINDS);
  return Array.from({ length: count }, (_, index) => {
    const make = kinds[index % kinds.length] ?? String;
    return make(lengths[index % lengths.length] ?? 0);
  });
}

/** Repeats a text up to a length. */
function times(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length));
}

/** Concatenates numbered texts up to a length. */
function numbered(textOf: (index: number) => string, length: number): string {
  let text = "";
  for (let index = 0; text.length < length; index++) text += textOf(index);
  return text;
}
