import { ORIGIN, type TestApp, withApp } from "../../support/app.ts";
import { importInto } from "../../../src/cli/import.ts";
import { newDatabase, newRow } from "../../api/database_driver.ts";
import { append, newPage, paragraph, succeed } from "../../api/driver.ts";
import { assert, assertEquals, assertStringIncludes } from "../../assert.ts";
import { documentsIn } from "./documents.ts";
import { createEverything } from "./everything.ts";
import { contextOf, textsIn, withTransfer } from "./transfer_driver.ts";

/** Answers as the app does, until a number of writes have been done; then the reply is lost. */
function losingReply(app: TestApp, writes: number): (request: Request) => Promise<Response> {
  let left = writes;
  return async (request) => {
    const isWrite = request.headers.has("idempotency-key");
    if (isWrite && left-- === 0) {
      await (await app.send(request)).body?.cancel();
      throw new Killed();
    }
    if (left < 0) throw new Killed();
    return await app.send(request);
  };
}

/** As if the process had ended: nothing is tried again. */
class Killed extends Error {}

Deno.test("an import that is killed again and again, each time before a reply, is complete in the end", () =>
  withTransfer(async ({ folder, exportTo, importInto: importAll }) => {
    await withApp(async (app) => {
      await createEverything(app);
      await exportTo(app, "a", "--format", "jsonl");
    });
    await withApp(async (app) => {
      const context = await contextOf(app);
      for (let kills = 0; kills < 10; kills++) {
        const fetch = losingReply(app, 23);
        const args = [`${folder}/a`, "--parallel", "1"];
        const outcome = await importInto(args, { ...context, fetch, sleep: instantly });
        assertEquals(outcome.code, 1, outcome.stdout);
        assertStringIncludes(outcome.stderr, "cannot be reached");
      }
      const { code, stdout, stderr } = await importAll(app, "a");
      assertEquals(code, 0, stdout + stderr);
      await exportTo(app, "b", "--format", "jsonl");
      const [before, after] = [await documentsIn(`${folder}/a`), await documentsIn(`${folder}/b`)];
      assertEquals(after.length, before.length);
      assertEquals(
        after.map(({ place, blocks }) => [place, Array.isArray(blocks) && blocks.length]),
        before.map(({ place, blocks }) => [place, Array.isArray(blocks) && blocks.length]),
      );
    });
  }));

const instantly = (): Promise<void> => Promise.resolve();

Deno.test("a second import of the same export writes nothing", () =>
  withTransfer(({ exportTo, importInto }) =>
    withApp(async (app) => {
      await newPage(app, { children: [paragraph("once")] });
      await exportTo(app, "a", "--format", "jsonl");
      const counts: number[] = [];
      for (let run = 0; run < 2; run++) {
        assertEquals((await importInto(app, "a")).code, 0);
        counts.push((await succeed(app, "POST /v2/search", { body: {} })).results.length);
      }
      assertEquals(counts, [2, 2]);
    })
  ));

Deno.test("an import waits as long as the server asks, and loses nothing to errors that pass", () =>
  withTransfer(async ({ folder, exportTo }) => {
    await withApp(async (app) => {
      await createEverything(app);
      await exportTo(app, "a", "--format", "jsonl");
    });
    await withApp(async (app) => {
      const pauses: number[] = [];
      let requests = 0;
      const fetch = (request: Request): Promise<Response> => {
        requests++;
        if (requests % 7 === 0) return Promise.resolve(reply(429, { "retry-after": "3" }));
        if (requests % 11 === 0) return Promise.resolve(reply(500));
        if (requests % 13 === 0) return Promise.reject(new TypeError("connection reset"));
        return app.send(request);
      };
      const sleep = (time: number): Promise<void> => Promise.resolve(void pauses.push(time));
      const { code, stdout } = await importInto([`${folder}/a`], {
        ...await contextOf(app),
        fetch,
        sleep,
      });
      assertEquals(code, 0, stdout);
      assert(pauses.includes(3_000));
    });
  }));

function reply(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify({ code: "x", message: "x" }), { status, headers });
}

Deno.test("a damaged export is refused with all that is wrong, before anything is written", () =>
  withTransfer(({ folder, exportTo, importInto }) =>
    withApp(async (app) => {
      const page = await newPage(app, { children: [paragraph("a"), paragraph("b")] });
      await newPage(app, { title: "Other" });
      await exportTo(app, "a", "--format", "jsonl");
      const file = `${folder}/a/pages/${page}.jsonl`;
      await Deno.writeTextFile(file, (await Deno.readTextFile(file)).slice(0, -9));
      await Deno.writeTextFile(`${folder}/a/files.jsonl`, '{"path":"../../etc/passwd"}\n');
      const { code, stderr } = await importInto(app, "a");
      assertEquals(code, 1);
      assertStringIncludes(stderr, `pages/${page}.jsonl: the last line broke off`);
      assertStringIncludes(stderr, "files.jsonl, line 1: no file");
      assertEquals((await succeed(app, "POST /v2/search", { body: {} })).results.length, 2);
    })
  ));

Deno.test("a subtree is imported under a page, and what it leads to outside is reported", () =>
  withTransfer(({ folder, exportTo, importInto }) =>
    withApp(async (app) => {
      const outside = await newDatabase(app, {});
      const target = await newRow(app, outside.id, {});
      const root = await newPage(app, { title: "Root" });
      const inside = await newDatabase(app, {
        Out: { relation: { database_id: outside.id, single_property: {} } },
      }, { parent: { page_id: root } });
      await newRow(app, inside.id, { Out: { relation: [{ id: target.id }] } });
      await append(app, root, {
        children: [{ paragraph: { rich_text: [{ mention: { page: { id: target.id } } }] } }],
      });
      assertEquals((await exportTo(app, "a", "--format", "jsonl", "--root", root)).code, 0);
      assertEquals([...textsIn(`${folder}/a/pages`).keys()].length, 2);
      const under = await newPage(app, { title: "Under" });
      const { code, stdout } = await importInto(app, "a", "--parent", under);
      assertEquals(code, 1, "the relation is missing");
      assertStringIncludes(stdout, 'property "Out"');
      assertStringIncludes(stdout, "names an object outside the export");
      const [child] = (await succeed(app, `GET /v2/blocks/${under}/children`)).results;
      assertEquals(child.child_page.title, "Root");
    })
  ));

Deno.test("users are mapped by a file, and a journal of another server is refused", () =>
  withTransfer(({ folder, exportTo, importInto: importAll }) =>
    withApp(async (app) => {
      const [old, now] = [crypto.randomUUID(), crypto.randomUUID()];
      const mention = { rich_text: [{ mention: { user: { id: old } } }] };
      const page = await newPage(app, { children: [{ paragraph: mention }], title: "Home" });
      await exportTo(app, "a", "--format", "jsonl");
      await Deno.writeTextFile(`${folder}/users.csv`, `${old},${now}\n`);
      await importAll(app, "a", "--users", `${folder}/users.csv`);
      const { results } = await succeed(app, "POST /v2/search", { body: {} });
      const [copy] = results.filter(({ id }: { id: string }) => id !== page);
      const [block] = (await succeed(app, `GET /v2/blocks/${copy.id}/children`)).results;
      assertEquals(block.paragraph.rich_text[0].mention.user.id, now);
      const context = await contextOf(app);
      const { code, stderr } = await importInto(
        [`${folder}/a`, "--server", "http://elsewhere.test"],
        {
          ...context,
          fetch: (request) =>
            app.send(new Request(ORIGIN + new URL(request.url).pathname, request)),
        },
      );
      assertEquals(code, 1);
      assertStringIncludes(stderr, `belongs to an import into ${ORIGIN}`);
    })
  ));

Deno.test("a plan writes nothing, and says nothing of an import", () =>
  withTransfer(({ folder, importInto }) =>
    withApp(async (app) => {
      await Deno.mkdir(`${folder}/notes`);
      await Deno.writeTextFile(`${folder}/notes/a.md`, "A\n");
      assertEquals(await importInto(app, "notes", "--plan"), { code: 0, stdout: "", stderr: "" });
      const { code, stderr } = await importInto(app, "notes");
      assertEquals(code, 1);
      assertStringIncludes(stderr, "nothing was written: run again with --yes");
      assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["notes"]);
      assertEquals((await succeed(app, "POST /v2/search", { body: {} })).results, []);
    })
  ));

Deno.test("an option of another source is refused, and a source that is missing is named", () =>
  withTransfer(({ folder, exportTo, importInto }) =>
    withApp(async (app) => {
      await exportTo(app, "a", "--format", "jsonl");
      const { code, stderr } = await importInto(app, "a", "--plan");
      assertEquals([code, stderr], [2, "--plan is no option of an import of JSON lines\n"]);
      const missing = await importInto(app, "b");
      assertEquals(missing.code, 1);
      assertStringIncludes(missing.stderr, `there is no file or folder ${folder}/b`);
    })
  ));

Deno.test("wrong arguments say what to type, and a missing token how to get one", async () => {
  const environment = (name: string) => name === "RECTO_TOKEN" ? "t" : undefined;
  const cases: [string[], string][] = [
    [[], "PATH is missing"],
    [["a", "b"], "Too many arguments: b"],
    [["--paralel", "3"], 'Unknown option --paralel: Did you mean "--parallel"?'],
    [["a", "--parallel", "0"], "--parallel must be 1 to 64"],
    [["a", "--server", "recto.example"], "--server must be an origin"],
    [["a", "--parent", "Home"], "--parent must be the ID of a page, or its URL"],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await importInto(args, { environment });
    assertEquals([code, stderr.includes(message)], [2, true], stderr);
  }
  const { stderr } = await importInto(["a"], { environment: () => undefined });
  assertStringIncludes(stderr, "RECTO_TOKEN is not set");
});
