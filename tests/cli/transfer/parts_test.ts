import fc from "fast-check";
import { createNames, safeFileName, safeName } from "../../../src/cli/export/file_names.ts";
import { relink } from "../../../src/cli/export/markdown_body.ts";
import { forEachParallel } from "../../../src/cli/transfer/parallel.ts";
import { readObjectId } from "../../../src/cli/transfer/object_id.ts";
import { createProgressOn } from "../../../src/cli/transfer/progress.ts";
import { createReport } from "../../../src/cli/transfer/report.ts";
import { retryAfter } from "../../../src/cli/transfer/retries.ts";
import { assert, assertEquals, assertRejects } from "../../assert.ts";

Deno.test("any title makes a name that every system takes", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (title) => {
    const name = safeName(title);
    assert(name.length > 0 && new TextEncoder().encode(name).length <= 84, name);
    assert(!/[\\/:*?"<>|#^[\]]/.test(name) && !/^[. ]|[. ]$/.test(name), name);
    assertEquals(safeName(name), name);
  }));
  assertEquals(["CON", "nul.txt", "...", "a/b: c"].map(safeName), [
    "CON_",
    "nul.txt_",
    "Untitled",
    "a b c",
  ]);
  assertEquals(safeFileName("../Über: alles.tar.gz"), "Über alles.tar.gz");
});

Deno.test("names of one folder differ, also for systems that ignore case", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "A", "b", "B ", "b/"), { maxLength: 30 }),
      (titles) => {
        const name = createNames();
        const names = titles.map((title) => name(title, crypto.randomUUID()).toLowerCase());
        assertEquals(new Set(names).size, names.length);
      },
    ),
  );
});

Deno.test("links are replaced in text and icons, and nowhere else", async () => {
  const seen: string[] = [];
  const replace = (url: string) => {
    seen.push(url);
    return Promise.resolve("HERE");
  };
  const markdown = [
    '[a](https://r.test/1 "mention") and `[b](https://r.test/2)` ![c](https://r.test/3?a\\&b)',
    "> ```md",
    "> [d](https://r.test/4)",
    "> ```",
    "````",
    "```",
    "[e](https://r.test/5)",
    "````",
    '<aside data-icon="https://r.test/6?a&amp;b">',
    "\\`[f](https://r.test/7)\\`",
  ].join("\n");
  const replaced = await relink(markdown, replace);
  assertEquals(seen, [
    "https://r.test/1",
    "https://r.test/3?a&b",
    "https://r.test/6?a&b",
    "https://r.test/7",
  ]);
  assertEquals(replaced.split("HERE").length - 1, 4);
  assert(replaced.includes('[a](HERE "mention")') && replaced.includes("(https://r.test/2)"));
});

Deno.test("an argument names a page by its ID, or by any URL of it", () => {
  const id = "01a207b9-5c8b-7e20-9cb3-d0dc33104cd4";
  const digits = id.replaceAll("-", "");
  const view = "f".repeat(32);
  for (
    const argument of [
      ...[id, digits, digits.toUpperCase(), `http://127.0.0.1:8000/v2/pages/${digits}`],
      ...[
        `https://www.notion.so/team/A-b-${digits}?v=${view}&pvs=4`,
        `https://x.test/${id}#${view}`,
      ],
    ]
  ) assertEquals(readObjectId(argument), id, argument);
  for (const argument of ["", "nope", `https://x.test/?v=${view}`]) {
    assertEquals(readObjectId(argument), undefined, argument);
  }
});

Deno.test("a request is tried again as long as that may help", () => {
  const attempt = { status: 500, code: undefined, retryAfter: null, failures: 0 };
  const pauseOf = (change: object) => retryAfter({ ...attempt, ...change }, 0, 1)?.pause;
  assertEquals([0, 1, 2].map((failures) => pauseOf({ failures })), [250, 500, 1_000]);
  assertEquals(pauseOf({ failures: 7 }), undefined);
  assertEquals(pauseOf({ status: 400 }), undefined);
  assertEquals(pauseOf({ code: "data_corrupted" }), undefined);
  assertEquals(pauseOf({ status: undefined }), 250);
  assertEquals(pauseOf({ status: 429, retryAfter: "2", failures: 100 }), 2_000);
  assertEquals(pauseOf({ status: 503, retryAfter: new Date(5_000).toUTCString() }), 5_000);
  assertEquals(pauseOf({ status: 429, retryAfter: "86400" }), undefined);
});

Deno.test("parallel work is bounded, and stops at the first failure", async () => {
  let running = 0;
  let most = 0;
  await forEachParallel(Array(50).keys(), 4, async () => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
  });
  assertEquals([most, running], [4, 0]);
  const done: number[] = [];
  const failing = forEachParallel([1, 2, 3, 4, 5, 6], 2, (n) => {
    done.push(n);
    return n === 3 ? Promise.reject(new Error("three")) : Promise.resolve();
  });
  await assertRejects(() => failing, Error, "three");
  assert(!done.includes(6), `${done}`);
});

Deno.test("progress is plain lines where there is no terminal", () => {
  const lines: string[] = [];
  let time = 0;
  const progress = createProgressOn({
    isTerminal: false,
    write: (line) => void lines.push(line),
    now: () => time,
  });
  progress.begin("pages", 100);
  time = 6_000;
  progress.advance(30);
  progress.advance(10);
  time = 10_000;
  progress.advance(60);
  progress.end();
  progress.begin("check the export");
  progress.end();
  assertEquals(lines, ["pages: 30 of 100, 5/s, 14 s left", "pages: 100, 10/s", "check the export"]);
});

Deno.test("a report counts, lists what is missing, and decides the exit code", () => {
  const report = createReport();
  report.count("pages", 2);
  report.count("links");
  report.alter("a", "is different");
  assertEquals(report.conclude("Done").code, 0);
  report.omit("b.md", "is gone");
  const { code, stdout } = report.conclude("Done");
  assertEquals(code, 1);
  assertEquals(stdout.split("\n"), [
    "Done: 2 pages, 1 link",
    "Carried in another form (docs/transfer.md):",
    "  is different (1)",
    "    a",
    "NOT carried:",
    "  is gone (1)",
    "    b.md",
    "Incomplete: see above.",
    "",
  ]);
});

Deno.test("a report shows its counts in one order, whatever was counted first", () => {
  const report = createReport();
  for (const what of ["updated", "links", "rows", "pages"]) report.count(what);
  assertEquals(
    report.conclude("Imported").stdout,
    "Imported: 1 page, 1 row, 1 link, 1 updated\nComplete.\n",
  );
});
