import type { Change } from "../../../src/cli/openapi/diff/documents.ts";
import { changesToText } from "../../../src/cli/openapi/diff/report.ts";
import { assertEquals } from "../../assert.ts";

const change = (more: Partial<Change>): Change => ({
  place: "a",
  detail: "is new",
  isBreaking: false,
  routes: ["GET /a"],
  ...more,
});

function textOf(...changes: Change[]): string[] {
  return changesToText(changes, (style, text) => style === "bold" ? text : `<${text}>`).split("\n");
}

Deno.test("changesToText() sums up what breaks, and what does not", () => {
  const breaking = change({ isBreaking: true });
  assertEquals(textOf()[0], "<Nothing that a client would notice>");
  assertEquals(textOf(change({}))[0], "<Breaks no client: 1 change>");
  assertEquals(textOf(breaking, breaking)[0], "<Breaks clients: 2 changes>");
  assertEquals(textOf(breaking, change({}))[0], "<Breaks clients: 1 change, 1 more that does not>");
});

Deno.test("changesToText() tells under one heading what changes alike", () => {
  const answered = { side: "answer", routes: ["GET /a", "GET /b", "GET /c", "GET /d"] } as const;
  assertEquals(
    textOf(
      change({ place: "", detail: "is gone", isBreaking: true }),
      change({ place: "query b" }),
      change({ ...answered, schema: "One" }),
      change({ ...answered, schema: "Two" }),
      change({ ...answered, schema: "Three", place: "b" }),
      change({ side: "request", schema: "Three" }),
    ).slice(1),
    [
      "",
      "GET /a",
      "  <!> is gone",
      "    query b: is new",
      "",
      "One, Two, returned by GET /a, GET /b and 2 more",
      "    a: is new",
      "",
      "Three, returned by GET /a, GET /b and 2 more",
      "    b: is new",
      "",
      "Three, sent to GET /a",
      "    a: is new",
      "",
    ],
  );
});
