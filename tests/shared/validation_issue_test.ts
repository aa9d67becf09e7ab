import { bodyIssue, issueSentence, pointerTo } from "../../src/shared/validation_issue.ts";
import { assertEquals } from "../assert.ts";

Deno.test("issueSentence() names position, expectation and actual value", () => {
  const sentence = issueSentence({
    root: "body",
    pointer: "/children/0/paragraph/rich_text/2/text",
    expected: "defined",
    received: undefined,
  });
  assertEquals(
    sentence,
    "body failed validation: body.children[0].paragraph.rich_text[2].text should be defined, " +
      "instead was `undefined`.",
  );
});

Deno.test("issueSentence() names the root if the pointer is empty", () => {
  const sentence = issueSentence({
    root: "query",
    pointer: "",
    expected: "an object",
    received: 1,
  });
  assertEquals(sentence, "query failed validation: query should be an object, instead was `1`.");
});

Deno.test("issueSentence() truncates the actual value at 55 characters, between whole ones", () => {
  const sentence = issueSentence({
    root: "body",
    pointer: "/x",
    expected: "short",
    received: "a".repeat(53) + "🚀" + "b",
  });
  assertEquals(
    sentence,
    `body failed validation: body.x should be short, instead was \`"${"a".repeat(53)}...\`.`,
  );
});

Deno.test("pointerTo() escapes special characters, and issueSentence() unescapes them", () => {
  const pointer = pointerTo("/properties", "a/b~c");
  assertEquals(pointer, "/properties/a~1b~0c");
  assertEquals(
    bodyIssue(pointer, { expected: "a string", received: null }),
    {
      pointer,
      detail:
        "body failed validation: body.properties.a/b~c should be a string, instead was `null`.",
    },
  );
});
