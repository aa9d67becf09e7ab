import { parse as parseCsv } from "csv-parse/sync";
import { posix } from "node:path";
import { parse } from "@std/yaml/parse";
import { newDatabase, newRow, titled } from "../../api/database_driver.ts";
import { append, newPage, paragraph, succeed, text, treeOf } from "../../api/driver.ts";
import { upload } from "../../api/file_driver.ts";
import { assert, assertEquals, assertStringIncludes } from "../../assert.ts";
import { type TestApp, withApp } from "../../support/app.ts";
import { createEverything } from "./everything.ts";
import { textsIn, type Transfer, withTransfer } from "./transfer_driver.ts";

/** Destinations of the relative links in Markdown. */
function linksIn(markdown: string): string[] {
  return [...markdown.matchAll(/\]\((?!https?:)([^\s)]+)/g)].map(([, link = ""]) => link);
}

Deno.test("every relative link of a Markdown export leads to a file of it, and no signed URL is left", () =>
  withTransfer(({ folder, exportTo }) =>
    withApp(async (app) => {
      await createEverything(app);
      const { code, stdout } = await exportTo(app, "out");
      assertEquals(code, 0, stdout);
      const files = textsIn(`${folder}/out`);
      let count = 0;
      for (const [path, text] of files) {
        for (const link of linksIn(text)) {
          const target = posix.join(posix.dirname(path), decodeURIComponent(link));
          assert(files.has(target), `${path} links to ${target}`);
          count++;
        }
        assert(!text.includes("signature="), path);
      }
      assert(count > 15, `${count} links`);
      assertEquals([...files.keys()].filter((path) => path.endsWith(".md")).length, 142);
    })
  ));

Deno.test("pages that are deep in each other are exported with paths that systems take, and listed", () =>
  withTransfer(({ folder, exportTo }) =>
    withApp(async (app) => {
      let parent: object = { workspace: true };
      for (let depth = 0; depth < 60; depth++) {
        parent = { page_id: await newPage(app, { title: "t".repeat(100), parent }) };
      }
      await newDatabase(app, {}, { parent });
      for (let run = 0; run < 2; run++) {
        const { code, stdout } = await exportTo(app, "out");
        assertEquals(code, 0, stdout);
        assertStringIncludes(stdout, "because its path would be too long (");
      }
      const files = textsIn(`${folder}/out`);
      const pages = [...files.keys()].filter((path) => path.endsWith(".md"));
      assertEquals(pages.length, 60);
      for (const path of files.keys()) assert(path.length <= 820, path);
      for (const path of pages) {
        const [child = ""] = linksIn(files.get(path) ?? "");
        const target = posix.join(posix.dirname(path), decodeURIComponent(child));
        assert(files.has(target), `${path} links to ${target}`);
      }
    })
  ));

Deno.test("a row has its values as front matter, and its database has them as CSV", () =>
  withTransfer(({ folder, exportTo }) =>
    withApp(async (app) => {
      const tags = { multi_select: { options: [{ name: "a" }, { name: "b" }] } };
      const { id } = await newDatabase(app, {
        Count: { number: {} },
        Tags: tags,
        Day: { date: {} },
        Done: { checkbox: {} },
      });
      const row = await newRow(app, id, {
        Name: titled('Say "hi": a/b'),
        Count: { number: 2.5 },
        Tags: { multi_select: [{ name: "b" }, { name: "a" }] },
        Day: { date: { start: "2026-01-02", end: "2026-01-05" } },
        Done: { checkbox: true },
      });
      await append(app, row.id, { children: [paragraph("Its body")] });
      assertEquals((await exportTo(app, "out")).code, 0);
      const files = textsIn(`${folder}/out`);
      const [, yaml = "", body] = files.get("Things/Say hi a b.md")?.split(/^---\n/m) ?? [];
      const { created: _created, updated: _updated, ...values } = parse(yaml);
      assertEquals(values, {
        id: row.id,
        title: 'Say "hi": a/b',
        Count: 2.5,
        Tags: ["b", "a"],
        Day: "2026-01-02/2026-01-05",
        Done: true,
      });
      assertEquals(body, "\nIts body\n");
      assertEquals(parseCsv(files.get("Things/Things.csv") ?? ""), [
        ["Name", "Count", "Tags", "Day", "Done", "file"],
        ['Say "hi": a/b', "2.5", "b, a", "2026-01-02/2026-01-05", "true", "Say hi a b.md"],
      ]);
      assertEquals(JSON.parse(files.get("Things/_schema.json") ?? "").id, id);
    })
  ));

Deno.test("links in code are left as they are, and names that differ by case only are told apart", () =>
  withTransfer(({ folder, exportTo }) =>
    withApp(async (app) => {
      const page = await newPage(app, { title: "Note" });
      const other = await newPage(app, { title: "NOTE" });
      const link = `[x](http://recto.test/v2/pages/${other})`;
      await append(app, page, {
        children: [
          { code: { rich_text: text(`\`\`\`\n${link}`), language: "markdown" } },
          { paragraph: { rich_text: [{ text: { content: link }, annotations: { code: true } }] } },
          { paragraph: { rich_text: [{ mention: { page: { id: other } } }] } },
        ],
      });
      await exportTo(app, "out");
      const files = textsIn(`${folder}/out`);
      const second = `NOTE ${other.slice(-6)}`;
      assertEquals([...files.keys()].filter((path) => path.endsWith(".md")), [
        `${second}.md`,
        "Note.md",
      ]);
      const markdown = files.get("Note.md") ?? "";
      assertEquals(markdown.split(link).length, 3);
      assertStringIncludes(markdown, `[NOTE](${encodeURIComponent(second)}.md "mention")`);
    })
  ));

Deno.test("an increment reads the content of what changed alone, and follows new names and deletions", () =>
  withTransfer(({ folder, exportTo }) =>
    withApp(async (app) => {
      const parent = await newPage(app, { title: "Parent" });
      const inside = { parent: { page_id: parent } };
      const kept = await newPage(app, { title: "Kept", ...inside, children: [paragraph("one")] });
      const named = await newPage(app, { title: "Named", ...inside });
      const gone = await newPage(app, { title: "Gone", ...inside });
      await append(app, kept, {
        children: [{ paragraph: { rich_text: [{ mention: { page: { id: named } } }] } }],
      });
      await newPage(app, { title: "Apart", children: [paragraph("two")] });
      for (const format of ["markdown", "jsonl"]) {
        assertEquals((await exportTo(app, format, "--format", format)).code, 0);
        app.log.flush();
        const before = app.lines.length;
        assertEquals((await exportTo(app, format, "--format", format, "--since", "last")).code, 0);
        app.log.flush();
        const reads = app.lines.slice(before).map(({ route }) => String(route))
          .filter((route) => /markdown|children/.test(route));
        assertEquals(reads, [], "nothing changed, so no content is read");
      }
      await succeed(app, `PATCH /v2/pages/${named}`, {
        body: { properties: { title: text("Renamed") } },
      });
      await succeed(app, `DELETE /v2/pages/${gone}`);
      for (const format of ["markdown", "jsonl"]) {
        await exportTo(app, format, "--format", format, "--since", "last");
        await exportTo(app, `${format}-new`, "--format", format);
        const [grown, fresh] = [`${folder}/${format}`, `${folder}/${format}-new`].map((one) =>
          textsIn(one)
        );
        assertEquals(grown, fresh, format);
      }
    })
  ));

/** Runs an increment in each format, and asserts that it is the same as a full export. */
async function assertSameAsFull({ folder, exportTo }: Transfer, app: TestApp): Promise<void> {
  for (const format of ["markdown", "jsonl"]) {
    await exportTo(app, format, "--format", format, "--since", "last");
    await exportTo(app, `${format}-full`, "--format", format);
    const [grown, full] = [format, `${format}-full`].map((name) => textsIn(`${folder}/${name}`));
    assertEquals(grown, full, format);
  }
}

Deno.test("an increment follows what copies show, the names of users, and edits of pages in pages", () =>
  withTransfer((transfer) =>
    withApp(async (app) => {
      const ann = await app.mint({ sub: "ann", name: "Ann Erasable", email: "ann@erase.test" });
      const { id: user } = await succeed(app, "GET /v2/users/me", { token: ann });
      const mention = { paragraph: { rich_text: [{ mention: { user: { id: user } } }] } };
      const synced = { synced_block: { synced_from: null, children: [paragraph("first")] } };
      const original = await newPage(app, { title: "Original", children: [synced] });
      const { results: [block] } = await succeed(app, `GET /v2/blocks/${original}/children`);
      const copy = { synced_block: { synced_from: { block_id: block.id } } };
      await newPage(app, { title: "Copy", children: [copy] });
      const parent = await newPage(app, { title: "Parent", children: [mention] });
      const child = await newPage(app, { title: "Child", parent: { page_id: parent } });
      for (const format of ["markdown", "jsonl"]) {
        await transfer.exportTo(app, format, "--format", format);
      }
      await append(app, block.id, { children: [paragraph("second")] });
      await append(app, child, { children: [paragraph("words")] });
      await assertSameAsFull(transfer, app);
      await succeed(app, "GET /v2/users/me", {
        token: await app.mint({ sub: "ann", name: "Ann Renamed", email: "ann@erase.test" }),
      });
      await assertSameAsFull(transfer, app);
      assert(await app.store.eraseUser("default", user, Date.now()));
      await assertSameAsFull(transfer, app);
      const texts = [...textsIn(transfer.folder).values()].join("");
      assert(!/Ann|ann@/.test(texts), "an erased user is in no file");
    })
  ));

Deno.test("an export never writes into a folder with other files, and an increment needs a first one", () =>
  withTransfer(({ folder, exportTo }) =>
    withApp(async (app) => {
      await Deno.mkdir(`${folder}/mine`);
      await Deno.writeTextFile(`${folder}/mine/notes.md`, "mine");
      for (const format of ["markdown", "jsonl"]) {
        const { code, stderr } = await exportTo(app, "mine", "--format", format);
        assertEquals(code, 1);
        assertStringIncludes(stderr, "name a new or an empty folder");
        const increment = await exportTo(
          app,
          `new-${format}`,
          "--format",
          format,
          "--since",
          "last",
        );
        assertStringIncludes(increment.stderr, "needs an earlier export");
      }
      assertEquals(textsIn(`${folder}/mine`), new Map([["notes.md", "mine"]]));
    })
  ));

Deno.test("a file that cannot be read is reported with the page that has it, and the export fails", () =>
  withTransfer(({ exportTo }) =>
    withApp(async (app) => {
      const file = await upload(app);
      const page = await newPage(app, { children: [{ file: { file_upload: { id: file } } }] });
      await Deno.remove(`${app.folder}/files`, { recursive: true });
      for (const [format, where] of [["markdown", "Home.md"], ["jsonl", page]]) {
        const { code, stdout } = await exportTo(app, `${format}`, "--format", `${format}`);
        assertEquals(code, 1, stdout);
        assertStringIncludes(stdout, "a file cannot be read");
        assertStringIncludes(stdout, `    ${where}\n`);
      }
    })
  ));

Deno.test("a file that is gone is removed, whatever its name, and what broke off is not exported", () =>
  withTransfer(({ folder, exportTo }) =>
    withApp(async (app) => {
      const file = await upload(app, "secret", { filename: "x.partial" });
      const page = await newPage(app);
      const [block] = await append(app, page, {
        children: [{ file: { file_upload: { id: file } } }],
      });
      const namesIn = (name: string) =>
        [...textsIn(`${folder}/${name}`).keys()].filter((path) => path.endsWith("partial"));
      for (const format of ["markdown", "jsonl"]) {
        await exportTo(app, format, "--format", format);
        assertEquals(namesIn(format), [`files/${file}/x.partial`]);
      }
      // An export of an earlier version was killed here.
      await Deno.writeTextFile(`${folder}/jsonl/pages/${page}.jsonl.partial`, "{");
      await succeed(app, `DELETE /v2/blocks/${block?.id}`);
      for (const format of ["markdown", "jsonl"]) {
        const { code, stdout } = await exportTo(app, format, "--format", format, "--since", "last");
        assertEquals(code, 0, stdout);
        assert(!namesIn(format).some((path) => path.endsWith("x.partial")), format);
      }
    })
  ));

Deno.test("what Markdown loses of a page with everything is what docs/transfer.md lists", () =>
  withApp(async (app) => {
    const page = await createEverything(app);
    const { markdown } = await succeed(app, `GET /v2/pages/${page}/content/markdown`);
    const { id } = await succeed(app, "POST /v2/pages", {
      body: { parent: { workspace: true }, properties: {}, markdown },
    });
    const [before, after] = [await treeOf(app, page), await treeOf(app, id)];
    const changed = before.flatMap((tree, index) => {
      const [one, other] = [tree, after[index]].map((each) => each?.type);
      return one === other ? [] : [`${one} -> ${other}`];
    });
    assertEquals(after.length, before.length);
    assertEquals(changed, Array(4).fill("child_page -> link_to_page"));
    const docs = await Deno.readTextFile("docs/transfer.md");
    assertStringIncludes(docs, "`child_page`");
  }));
