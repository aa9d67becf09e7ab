import { isVisible, toVisible, toVisibleLines } from "../../src/shared/visible_text.ts";
import { assert, assertEquals } from "../assert.ts";

Deno.test("letters of all scripts, emoji and joiners are visible", () => {
  for (const text of ["", "Größe", "שלום", "می\u200cخواهم", "👩\u200d🚀 ❤️", "a b"]) {
    assert(isVisible(text), text);
    assertEquals(toVisible(text), text);
  }
});

Deno.test("what a terminal obeys or does not show is escaped as in JSON", () => {
  const hidden = "\n\r\t\x1b\x7f\x9b\u2028\u202e\u2066\u200b\ufeff\u{e0041}\ud800";
  for (const sign of hidden) assert(!isVisible(`a${sign}b`), JSON.stringify(sign));
  assertEquals(JSON.parse(`"${toVisible(hidden)}"`), hidden);
  assert(isVisible(toVisible(hidden)));
});

Deno.test("printed lines keep their breaks, tabs and colours, and nothing else", () => {
  const text = "a\n\tb\r\n\x1b[31mc\x1b[0m\x1b[2J\rd\u202e";
  assertEquals(
    toVisibleLines(text, /(\t|\r?\n|\p{Cc}\[\d+m)/u),
    "a\n\tb\r\n\x1b[31mc\x1b[0m\\u001b[2J\\u000dd\\u202e",
  );
});
