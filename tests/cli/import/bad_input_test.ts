/**
 * Imports of damaged and hostile input, and imports that are interrupted.
 *
 * @module
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "../../assert.ts";
import { OperatorError } from "../../../src/store/operator_error.ts";
import { type Files, outline, picture, withImports, zipOf } from "./support.ts";

async function messageOf(work: Promise<unknown>): Promise<string> {
  return (await assertRejects(() => work, OperatorError)).message;
}

Deno.test("an archive that broke off is refused before anything is written", async () => {
  await withImports(async ({ app, write, run }) => {
    const whole = zipOf({ "a.md": "# A\n", "b.md": "# B\n" });
    await write({ "cut.zip": whole.slice(0, whole.length - 30) });
    assertStringIncludes(await messageOf(run("cut.zip")), "is not a complete ZIP archive");
    assertEquals(await outline(app), "");
  });
});

/** A compressed archive in which the bytes of one entry are overwritten. */
function damagedZip(files: Files, path: string): Uint8Array<ArrayBuffer> {
  const archive = zipOf(files);
  const name = new TextEncoder().encode(path);
  const start = archive.findIndex((_, at) => name.every((byte, n) => archive[at + n] === byte));
  return archive.fill(0xff, start + name.length, start + name.length + 8);
}

const DAMAGED = { "a.md": "# A\n\n![b](b.png)\n", "b.png": new Uint8Array(1_000), "c.md": "# C\n" };

Deno.test("an archive with a damaged text is refused with its name", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({ "z.zip": damagedZip(DAMAGED, "a.md") });
    assertStringIncludes(await messageOf(run("z.zip")), "a.md is damaged in the archive");
    assertEquals(await outline(app), "");
  });
});

Deno.test("a damaged picture is left out and reported, and its page comes", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({ "z.zip": damagedZip(DAMAGED, "b.png") });
    const { report } = await run("z.zip");
    const [omission = "", ...others] = report.omissions();
    assertStringIncludes(omission, "b.png: cannot be read");
    assertEquals(others, []);
    assertEquals(await outline(app), "page z\n  child_page A\n    paragraph b\n  child_page C");
  });
});

Deno.test("a folder with nothing to import is refused", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({ "v/a.png": picture(1), "v/t.csv": "" });
    assertStringIncludes(await messageOf(run("v")), "has no Markdown, HTML or table to import");
    assertEquals(await outline(app), "");
  });
});

Deno.test("a ZIP bomb is refused before any of it is unpacked", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({ "bomb.zip": zipOf({ "a.md": new Uint8Array(70 * 1024 ** 2) }) });
    assertStringIncludes(await messageOf(run("bomb.zip")), "as ZIP bombs do");
    assertEquals(await outline(app), "");
  });
});

Deno.test("entries that climb out of the archive are left out and reported", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({
      "z.zip": zipOf({ "in.md": "# In\n", "../out.md": "# Out\n", "C:/x.md": "# X\n" }),
    });
    const { report } = await run("z.zip");
    assertEquals(await outline(app), "page In");
    assertEquals(report.omissions().toSorted(), [
      "../out.md: left out, because its name climbs out of the archive",
      "C:/x.md: left out, because its name is an absolute path",
    ]);
    assertEquals(report.conclude("x").code, 1);
  });
});

Deno.test("a link out of the source leads nowhere", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({ "secret.png": picture(1), "v/a.md": "![x](../secret.png)\n", "v/b.md": "b\n" });
    const { report } = await run("v");
    assertEquals(report.counted("pictures"), 0);
    assertEquals(report.alterations(), ['a.md: no page or file "../secret.png"']);
    assertStringIncludes(await outline(app), "paragraph x: ../secret.png");
  });
});

Deno.test("a table without anything in it is reported", async () => {
  await withImports(async ({ write, run }) => {
    await write({ "v/a.md": "a\n", "v/empty.csv": "" });
    const { report } = await run("v");
    assertEquals(report.alterations(), ["empty.csv: is empty, so it is no database"]);
  });
});

Deno.test("texts in other encodings are read, and a guess is shown", async () => {
  await withImports(async ({ app, write, run }) => {
    const latin = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
    const rows = "Müller;Köln\nLefèvre;Besançon\nNuñez;León\n".repeat(4);
    await write({ "t.csv": latin(`Name;Ort\n${rows}`) });
    const { shown } = await run("t.csv", { options: { plan: true } });
    assertStringIncludes(shown, "which is a guess: --encoding says otherwise");
    assertEquals(await outline(app), "");
    await run("t.csv", { options: { encoding: "windows-1252" } });
    assertStringIncludes(await outline(app), "row Lefèvre; Ort=Besançon");
  });
});

Deno.test("a table whose records are longer than its header is refused with its line", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({ "t.csv": "a,b\n1,2\n1,2,3\n" });
    assertStringIncludes(await messageOf(run("t.csv")), "t.csv, record 3: has 3 cells");
    assertEquals(await outline(app), "");
  });
});

Deno.test("nothing is written before somebody agrees", async () => {
  await withImports(async ({ app, write, run }) => {
    await write({ "t.csv": "Name,Age\nAda,36\n" });
    const refusal = await messageOf(run("t.csv", { options: { yes: false } }));
    assertStringIncludes(refusal, "nothing was written: run again with --yes");
    assertEquals(await outline(app), "");
    // What was only looked at may change.
    await write({ "t.csv": "Name,Age\nAda,37\n" });
    await run("t.csv");
    assertStringIncludes(await outline(app), "row Ada; Age=37");
  });
});

Deno.test("an import that is interrupted again and again is complete in the end, once", async () => {
  await withImports(async ({ app, write, run }) => {
    const pages = Array.from({ length: 12 }, (_, page) => [
      `v/folder-${page % 3}/page-${page}.md`,
      `# Page ${page}\n\n[next](../folder-${(page + 1) % 3}/page-${
        (page + 1) % 12
      }.md)\n\n![p](../p${page}.png)\n`,
    ]);
    const pictures = Array.from({ length: 12 }, (_, page) => [`v/p${page}.png`, picture(page)]);
    await write({
      ...Object.fromEntries([...pages, ...pictures]),
      "v/t.csv": `Name,Age\n${
        Array.from({ length: 10 }, (_, row) => `R${row},${row}`).join("\n")
      }\n`,
    });
    let interruptions = 0;
    for (let isDone = false; !isDone;) {
      let left = 9;
      // A refusal for all requests is what ends a run at once, after the server may have written.
      const fetch = async (request: Request) => {
        const response = await app.send(request);
        return left-- > 0 ? response : new Response("{}", { status: 401 });
      };
      try {
        const { report } = await run("v", { fetch });
        isDone = true;
        // As if there had been no interruptions.
        const names = ["pages", "databases", "rows", "pictures", "links"];
        assertEquals(names.map(report.counted), [16, 1, 10, 12, 12]);
      } catch {
        interruptions++;
      }
      assert(interruptions < 100, "each run gets further");
    }
    assert(interruptions >= 3, `there were only ${interruptions} interruptions`);
    const text = await outline(app);
    const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
    const counts = [/child_page Page /g, /image/g, /link_to_page/g, /row R/g, /child_page folder/g];
    assertEquals(counts.map(count), [12, 12, 12, 10, 3]);
  });
});

Deno.test("a source that has changed is not mixed up with the import of another state", async () => {
  await withImports(async ({ write, run }) => {
    await write({ "v/a.md": "a\n", "v/b.md": "b\n" });
    await run("v");
    const again = await run("v");
    assertEquals(again.requests, 0);
    await write({ "v/c.md": "c\n" });
    assertStringIncludes(await messageOf(run("v")), "has changed since its import began");
  });
});

Deno.test("long lists, deep outlines and large tables come whole", async () => {
  await withImports(async ({ app, write, run }) => {
    const lines = (count: number, line: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => line(at)).join("\n");
    await write({
      "v/long.md": `- top\n${lines(250, (at) => `  - item ${at}`)}\n`,
      "v/deep.md": `${lines(25, (at) => `${"  ".repeat(at)}- level ${at}`)}\n`,
      "v/table.md": `| a |\n|---|\n${lines(230, (at) => `| cell ${at} |`)}\n`,
      "v/many.md": `${lines(320, (at) => `paragraph ${at}\n`)}\n`,
    });
    const { report } = await run("v");
    assertEquals(report.omissions(), []);
    const text = await outline(app);
    const numbers = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, at]) => Number(at));
    assertEquals(numbers(/item (\d+)/g), [...Array(250).keys()]);
    assertEquals(numbers(/level (\d+)/g), [...Array(25).keys()]);
    assertEquals(numbers(/cell (\d+)/g), [...Array(230).keys()]);
    assertEquals(numbers(/paragraph paragraph (\d+)/g), [...Array(320).keys()]);
  });
});
