import { createSourceClient } from "../../../src/cli/import/notion/source_client.ts";
import { importInto } from "../../../src/cli/import.ts";
import { append, childrenOf, idsOf, newPage, paragraph, succeed, text } from "../../api/driver.ts";
import { tokenOf } from "../../api/every_type.ts";
import { newDatabase, newRow } from "../../api/database_driver.ts";
import { assert, assertEquals, assertStringIncludes } from "../../assert.ts";
import { type TestApp, withApp } from "../../support/app.ts";
import { documentsIn } from "../transfer/documents.ts";
import { createEverything } from "../transfer/everything.ts";
import { contextOf, withTransfer } from "../transfer/transfer_driver.ts";
import { createStandIn, type StandIn, VENDOR } from "./stand_in.ts";

interface Mirroring {
  readonly source: TestApp;
  readonly target: TestApp;
  readonly standIn: StandIn;
  /** Exports both, and compares the documents. */
  compare(): Promise<void>;
  mirror(...args: string[]): Promise<Awaited<ReturnType<typeof importInto>>>;
}

/** A clock on which no two things happen at once: pages at the top are listed by time. */
function tickingClock(): () => number {
  let time = Date.now();
  return () => ++time;
}

function withMirror(test: (mirroring: Mirroring) => Promise<void>): Promise<void> {
  return withTransfer(({ folder, exportTo }) =>
    withApp((source) =>
      withApp(async (target) => {
        const standIn = await createStandIn(source, target);
        const args = ["notion", "--from-url", VENDOR, "--from-token", await source.mint()]
          .concat(["--folder", `${folder}/mirror`, "--rate", "10000"]);
        const context = await contextOf(target);
        await test({
          source,
          target,
          standIn,
          mirror: (...more) =>
            importInto([...args, ...more], {
              ...context,
              fetch: standIn.fetch,
              sleep: () => Promise.resolve(),
            }),
          async compare() {
            await exportTo(source, "source", "--format", "jsonl");
            await exportTo(target, "target", "--format", "jsonl");
            const before = await documentsIn(`${folder}/source`);
            const after = await documentsIn(`${folder}/target`);
            assertEquals(after.map(({ place }) => place), before.map(({ place }) => place));
            for (const [index, document] of before.entries()) {
              assertEquals(after[index], document);
            }
          },
        });
      }, { now: tickingClock() }), { now: tickingClock() })
  );
}

/** Users have the same IDs wherever they come from the same issuer. */
async function signIn(app: TestApp): Promise<void> {
  for (const name of ["Ann", "Bob"]) {
    await succeed(app, "GET /v2/users/me", { token: await tokenOf(app, name) });
  }
}

Deno.test("a live import of everything gives equal documents, and another one writes nothing", () =>
  withMirror(async ({ source, target, mirror, compare }) => {
    await createEverything(source);
    await signIn(target);
    const { code, stdout, stderr } = await mirror("--comments", "all");
    assertEquals(code, 0, stdout + stderr);
    await compare();
    const before = await editsIn(target);
    const again = await mirror("--comments", "all");
    assertEquals(again.code, 0, again.stdout);
    assertEquals(await editsIn(target), before);
  }));

/** The time of the last edit of each object. */
async function editsIn(app: TestApp): Promise<string[]> {
  const { results } = await succeed(app, "POST /v2/search", { body: {} });
  return results.map((one: Record<string, string>) => `${one.id} ${one.last_edited_time}`).sort();
}

Deno.test("a live import that is killed ten times, among errors and expired files, is complete", () =>
  withMirror(async ({ source, target, standIn, mirror, compare }) => {
    await createEverything(source);
    await signIn(target);
    standIn.disturb();
    standIn.expireAfter(0);
    for (let kills = 0; kills < 10; kills++) {
      standIn.killAfter(40);
      const { code, stdout } = await mirror("--comments", "all", "--parallel", "1");
      assertEquals(code, 1, stdout);
    }
    standIn.expireAfter(8);
    standIn.killAfter(0);
    const { code, stdout, stderr } = await mirror("--comments", "all");
    assertEquals(code, 0, stdout + stderr);
    assert(standIn.expired() > 0, "a file was asked for after its URL had expired");
    await compare();
  }));

Deno.test("a second run with 1 percent changed takes less than 2 percent of the requests", () =>
  withMirror(async ({ source, standIn, mirror, compare }) => {
    const pages: string[] = [];
    for (let number = 0; number < 400; number++) {
      pages.push(await newPage(source, { title: `Page ${number}`, children: [paragraph("text")] }));
    }
    assertEquals((await mirror()).code, 0);
    const first = standIn.requests();
    for (const page of pages.slice(100, 104)) {
      await append(source, page, { children: [paragraph("more")] });
    }
    assertEquals((await mirror()).code, 0);
    const second = standIn.requests() - first;
    assert(second < first * 0.02, `${second} requests after ${first}`);
    await compare();
  }));

Deno.test("another run carries what was edited, moved, deleted and restored", () =>
  withMirror(async ({ source, target, mirror, compare }) => {
    const page = await newPage(source, {
      title: "One",
      children: [paragraph("a"), paragraph("b")],
    });
    const inner = await newPage(source, { title: "Inner", parent: { page_id: page } });
    const gone = await newPage(source, { title: "Gone" });
    const tasks = await newDatabase(source, {
      Points: { number: {} },
      Old: { checkbox: {} },
      Where: { place: {} },
    });
    const { id: row } = await newRow(source, tasks.id, {
      Points: { number: 1 },
      Where: { place: { lat: 52.5, lon: 13.4, name: "Berlin" } },
    });
    const { id: other } = await newRow(source, tasks.id, { Points: { number: 2 } });
    assertEquals((await mirror()).code, 0);
    await compare();

    await succeed(source, `PATCH /v2/pages/${page}`, {
      body: { properties: { title: text("Two") }, icon: { emoji: "🌱" } },
    });
    await append(source, page, { children: [paragraph("first")], position: { type: "start" } });
    await succeed(source, `DELETE /v2/pages/${gone}`);
    await succeed(source, `PATCH /v2/databases/${tasks.id}`, {
      body: {
        properties: {
          Old: null,
          Points: { name: "Size" },
          Blocks: { relation: { database_id: tasks.id, single_property: {} } },
        },
      },
    });
    await succeed(source, `PATCH /v2/databases/${tasks.id}`, {
      body: { properties: { Twice: { formula: { expression: 'prop("Size") * 2' } } } },
    });
    await succeed(source, `PATCH /v2/pages/${row}`, {
      body: { properties: { Size: { number: 5 }, Blocks: { relation: [{ id: other }] } } },
    });
    await newRow(source, tasks.id, { Size: { number: 9 }, Blocks: { relation: [{ id: row }] } });
    const edited = await mirror();
    assertEquals(edited.code, 0, edited.stdout + edited.stderr);
    assertStringIncludes(edited.stdout, "1 moved to the trash");
    await compare();

    await succeed(source, `PATCH /v2/pages/${gone}`, { body: { in_trash: false } });
    await succeed(source, `PATCH /v2/pages/${row}`, {
      body: { properties: { Blocks: { relation: [] } } },
    });
    assertEquals((await mirror()).code, 0);
    await compare();

    await move(source, inner);
    assertEquals((await mirror()).code, 0);
    const { results } = await succeed(target, "POST /v2/search", { body: {} });
    assertEquals(results.length, 7, "nothing is doubled");
    const moved = results.find((one: Record<string, unknown>) =>
      one.id === titled(results, "Inner")
    );
    assertEquals(moved.parent.type, "workspace");
  }));

Deno.test("the text of a comment follows that of its source when its page is read again", () =>
  withMirror(async ({ source, target, mirror, compare }) => {
    const page = await newPage(source, { title: "Notes", children: [paragraph("By the river")] });
    const parent = { page_id: page };
    const { id } = await succeed(source, "POST /v1/comments", {
      ...V1,
      body: { parent, rich_text: text("Why?") },
    });
    const first = await mirror();
    assertEquals(first.code, 0, first.stdout);
    assertStringIncludes(first.stdout, "use --comments all");
    const [here] = await commentsIn(target);

    await succeed(source, `PATCH /v1/comments/${id}`, {
      ...V1,
      body: { rich_text: text("Why not?") },
    });
    await append(source, page, { children: [paragraph("More")] });
    assertEquals((await mirror()).code, 0);
    await compare();

    await succeed(target, `DELETE /v1/comments/${here?.id}`, V1);
    await succeed(source, `PATCH /v1/comments/${id}`, { ...V1, body: { rich_text: text("So") } });
    await append(source, page, { children: [paragraph("Even more")] });
    const { code, stdout } = await mirror();
    assertEquals(code, 0, stdout);
    assertStringIncludes(stdout, "deleted here");
    assertEquals(await commentsIn(target), []);
  }));

const V1 = { headers: { "notion-version": "2022-06-28" } };

/** The comments on the only page of a workspace. */
async function commentsIn(app: TestApp): Promise<readonly { readonly id: string }[]> {
  const { results: [{ id }] } = await succeed(app, "POST /v2/search", { body: {} });
  return (await succeed(app, `GET /v1/comments?page_id=${id}`, V1)).results;
}

async function move(app: TestApp, page: string): Promise<void> {
  await succeed(app, `POST /v1/pages/${page}/move`, {
    headers: { "notion-version": "2022-06-28" },
    body: { parent: { workspace: true } },
  });
}

Deno.test("a formula that names properties by ID is translated", () =>
  withMirror(async ({ source, target, standIn, mirror }) => {
    const { id, properties } = await newDatabase(source, { Points: { number: {} } });
    const twice = { formula: { expression: 'prop("Points") * 2' } };
    await succeed(source, `PATCH /v2/databases/${id}`, { body: { properties: { Twice: twice } } });
    const reference = `{{notion:block_property:${properties.Points.id}:space:collection}}`;
    standIn.rewrite('prop(\\"Points\\")', reference);
    const { code, stdout } = await mirror();
    assertEquals(code, 0, stdout);
    const { results: [database] } = await succeed(target, "POST /v2/search", { body: {} });
    assertEquals(database.properties.Twice.formula.expression, 'prop("Points") * 2');
  }));

Deno.test("what is refused here is reported with its place, and all else is carried", () =>
  withMirror(async ({ source, target, standIn, mirror }) => {
    await newPage(source, { title: "Good", children: [paragraph("text")] });
    const { id } = await newDatabase(source, { Price: { number: { format: "euro" } } });
    const { id: row } = await newRow(source, id, { Price: { number: 3 } });
    standIn.rewrite('"format":"euro"', '"format":"galleon"');
    const { code, stdout } = await mirror();
    assertEquals(code, 1);
    for (const place of [id, row]) assertStringIncludes(stdout, place);
    assertStringIncludes(stdout, "only its title is kept");
    const { results } = await succeed(target, "POST /v2/search", { body: {} });
    assertEquals(results.length, 3);
  }));

Deno.test("a block that is refused leaves those beside it, and is reported until it is gone", () =>
  withMirror(async ({ source, target, standIn, mirror }) => {
    const code = { code: { rich_text: text("x"), language: "rust" } };
    const children = ["a", "b", "c", "d", "e"].map((one) => paragraph(one));
    const page = await newPage(source, { children: [...children, code, paragraph("f")] });
    standIn.rewrite('"language":"rust"', '"language":"parseltongue"');
    for (let run = 0; run < 2; run++) {
      const { code: exit, stdout } = await mirror();
      assertEquals(exit, 1);
      assertStringIncludes(stdout, "language");
    }
    const { results: [here] } = await succeed(target, "POST /v2/search", { body: {} });
    assertEquals((await childrenOf(target, here.id)).length, 6);
    const blocks = await childrenOf(source, page);
    await succeed(source, `DELETE /v2/blocks/${idsOf(blocks)[5]}`);
    assertEquals((await mirror()).code, 0);
  }));

Deno.test("members that are unknown here are left out", () =>
  withMirror(async ({ source, standIn, mirror, compare }) => {
    const options = [{ name: "Red", color: "red" }];
    await newDatabase(source, { Colour: { select: { options } } });
    await newPage(source, { children: [{ heading_1: { rich_text: text("Heading") } }] });
    standIn.rewrite('"is_toggleable":', '"future":{},"is_toggleable":');
    standIn.rewrite('"name":"Red"', '"description":null,"name":"Red"');
    const { code, stdout } = await mirror();
    assertEquals(code, 0, stdout);
    await compare();
  }));

Deno.test("requests to the source keep their distance, however many are parallel", async () => {
  const pauses: number[] = [];
  const client = createSourceClient({
    server: VENDOR,
    token: "t",
    rate: 0.001,
    fetch: () => Promise.resolve(new Response("{}")),
    sleep: (time) => Promise.resolve(void pauses.push(time)),
  });
  await Promise.all(["a", "b", "c"].map((name) => client.get(`/v1/${name}`)));
  const distances = pauses.map((pause, index) =>
    Math.round((pause - (pauses[index - 1] ?? 0)) / 1e5)
  );
  assertEquals(distances, [10, 10]);
});

Deno.test("a token that lost its access moves nothing to the trash", () =>
  withMirror(async ({ source, target, standIn, mirror }) => {
    await newPage(source, { title: "Here" });
    assertEquals((await mirror()).code, 0);
    standIn.rewrite('"object":"page"', '"in_trash":true,"object":"page"');
    standIn.rewrite('"results":[{', '"results":[],"ignored":[{');
    const { code, stderr } = await mirror();
    assertEquals(code, 1);
    assertStringIncludes(stderr, "sees no page any more");
    const { results } = await succeed(target, "POST /v2/search", { body: {} });
    assertEquals(results.length, 1);
  }));

Deno.test("wrong options are refused with what to write instead", () =>
  withMirror(async ({ mirror }) => {
    for (const args of [["--rate", "0"], ["--comments", "some"], ["--root", "no ID"]]) {
      const { code, stderr } = await mirror(...args);
      assertEquals(code, 1);
      assertStringIncludes(stderr, `${args[0]} must be`);
    }
  }));

Deno.test("with --root only what is in it is imported, and users unknown here become names", () =>
  withMirror(async ({ source, target, mirror }) => {
    const root = await newPage(source, { title: "Root" });
    await newPage(source, { title: "Inside", parent: { page_id: root } });
    await newPage(source, { title: "Outside" });
    const ann = await succeed(source, "GET /v2/users/me", { token: await tokenOf(source, "Ann") });
    await append(source, root, {
      children: [{ paragraph: { rich_text: [{ mention: { user: { id: ann.id } } }] } }],
    });
    const { code, stdout } = await mirror("--root", root);
    assertEquals(code, 0, stdout);
    assertStringIncludes(stdout, "mentions are the name");
    const { results } = await succeed(target, "POST /v2/search", { body: {} });
    assertEquals(results.length, 2);
    const here = results.find((one: Record<string, unknown>) => one.id === titled(results, "Root"));
    const children = await succeed(target, `GET /v2/blocks/${here.id}/children`);
    assertStringIncludes(JSON.stringify(children.results), '"content":"@Ann"');
  }));

// deno-lint-ignore no-explicit-any -- a test reads into answers freely
function titled(results: any[], title: string): string {
  return results.find((one) => JSON.stringify(one.properties).includes(`"${title}"`))?.id;
}
