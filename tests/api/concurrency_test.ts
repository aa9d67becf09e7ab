import fc from "fast-check";
import { assert, assertEquals } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import {
  append,
  appendOne,
  childrenOf,
  idsOf,
  newPage,
  paragraph,
  succeed,
  text,
  textsOf,
  toggle,
} from "./driver.ts";

const WRITERS = 50;
const numbers = Array.from({ length: WRITERS }, (_, index) => index);

/** Waits for this many microtasks. */
async function waitMicrotasks(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await Promise.resolve();
}

/** Two requests; the second starts `ahead` microtasks later, or the first if that is negative. */
function race(
  ahead: number,
  calls: readonly [() => Promise<Answer>, () => Promise<Answer>],
): Promise<[Answer, Answer]> {
  const [first, second] = calls;
  return Promise.all([
    waitMicrotasks(-ahead).then(first),
    waitMicrotasks(ahead).then(second),
  ]);
}

const anyAhead = fc.integer({ min: -40, max: 40 });

/** Repeats a race with different delays. */
function races(run: (ahead: number) => Promise<void>): Promise<void> {
  return fc.assert(fc.asyncProperty(anyAhead, run), { numRuns: 30 });
}

async function stateOf(app: TestApp, id: string): Promise<boolean> {
  return (await succeed(app, `GET /v2/blocks/${id}`)).in_trash;
}

Deno.test("concurrent appends to one page are all stored, once, complete and without mixing", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const answers = await Promise.all(
      numbers.map((n) =>
        append(app, page, {
          children: [paragraph(`${n} a`), paragraph(`${n} b`)],
          position: { type: n % 2 === 0 ? "end" : "start" },
        })
      ),
    );
    const shown = await childrenOf(app, page);
    assertEquals(idsOf(shown).toSorted(), answers.flatMap(idsOf).toSorted());
    const nodes = await app.store.children("default", page, { limit: 1_000 });
    assertEquals(new Set(nodes.map((node) => node.position)).size, 2 * WRITERS);
    const order = textsOf(shown);
    for (const n of numbers) assertEquals(order[order.indexOf(`${n} a`) + 1], `${n} b`);
  }));

Deno.test("concurrent appends of two servers on one database are all stored once", async () => {
  const folder = await Deno.makeTempDir({ prefix: "recto-" });
  const options = { environment: { DATABASE_URL: `sqlite:${folder}/shared.sqlite` } };
  await withApp((one) =>
    withApp(async (other) => {
      const page = await newPage(one);
      // Both have a token now, so that their requests run at the same time.
      await childrenOf(other, page);
      const answers = await Promise.all(
        numbers.map((n) =>
          append(n % 2 === 0 ? one : other, page, { children: [paragraph(`${n}`)] })
        ),
      );
      const ids = answers.flatMap(idsOf).toSorted();
      assertEquals(idsOf(await childrenOf(one, page)).toSorted(), ids);
      assertEquals(idsOf(await childrenOf(other, page)).toSorted(), ids);
    }, options), options);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the last of several concurrent edits of one page wins completely", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const answers = await Promise.all(numbers.map((n) =>
      app.call(`PATCH /v2/pages/${page}`, {
        body: {
          properties: { title: text(`${n}`) },
          cover: { external: { url: `https://example.test/${n}` } },
        },
      })
    ));
    assertEquals(answers.map(({ status }) => status), numbers.map(() => 200));
    for (const [n, { json }] of answers.entries()) {
      assertEquals(json.properties.title.title[0].plain_text, `${n}`);
      assertEquals(json.cover.external.url, `https://example.test/${n}`);
    }
    const { text: body, headers } = await app.call(`GET /v2/pages/${page}`);
    const last = answers.filter((answer) => answer.headers.get("etag") === headers.get("etag"));
    assertEquals(last.map((answer) => answer.text), [body]);
  }));

Deno.test("an append that races with the deletion of its parent is deleted too, or rejected", () =>
  withApp(async (app) => {
    await races(async (ahead) => {
      const page = await newPage(app, { children: [toggle("parent")] });
      const [parent = ""] = idsOf(await childrenOf(app, page));
      const [added, deleted] = await race(ahead, [
        () =>
          app.call(`PATCH /v2/blocks/${parent}/children`, { body: { children: [paragraph("x")] } }),
        () => app.call(`DELETE /v2/blocks/${ahead % 2 === 0 ? parent : page}`),
      ]);
      assertEquals(deleted.status, 200);
      assert(added.status === 200 || added.status === 400, added.text);
      const children = await childrenOf(app, parent);
      assertEquals(children.length, added.status === 200 ? 1 : 0);
      for (const child of children) assert(child.in_trash);
      assertEquals(
        (await succeed(app, `GET /v2/blocks/${parent}`)).has_children,
        children.length > 0,
      );
    });
  }));

Deno.test("concurrent deletes and restores leave nothing live below a deleted block", () =>
  withApp(async (app) => {
    await races(async (ahead) => {
      const page = await newPage(app, { children: [toggle("parent", [paragraph("child")])] });
      const [parent = ""] = idsOf(await childrenOf(app, page));
      const [child = ""] = idsOf(await childrenOf(app, parent));
      await succeed(app, `DELETE /v2/blocks/${child}`);
      const [restored, deleted] = await race(ahead, [
        () => app.call(`PATCH /v2/blocks/${child}`, { body: { in_trash: false } }),
        () => app.call(`DELETE /v2/blocks/${parent}`),
      ]);
      assertEquals(deleted.status, 200);
      assert(restored.status === 200 || restored.status === 400, restored.text);
      assertEquals([await stateOf(app, parent), await stateOf(app, child)], [true, true]);
      const again = await succeed(app, `PATCH /v2/blocks/${parent}`, { body: { in_trash: false } });
      // Restoring a parent restores what its deletion took, not what was deleted before.
      assertEquals(await stateOf(app, child), restored.status === 400);
      assertEquals(again.has_children, restored.status === 200);
    });
  }));

Deno.test("one of two writes that expect the same state succeeds", () =>
  withApp(async (app) => {
    await races(async (ahead) => {
      const page = await newPage(app, { children: [paragraph("middle")] });
      const etag = (await app.call(`GET /v2/pages/${page}`)).headers.get("etag") ?? "";
      const headers = { "if-match": etag };
      const add = (type: string) => () =>
        app.call(`PATCH /v2/blocks/${page}/children`, {
          body: { children: [paragraph(type)], position: { type } },
          headers,
        });
      const edit = () => app.call(`PATCH /v2/pages/${page}`, { body: { icon: null }, headers });
      const answers = await race(ahead, [add("start"), ahead % 2 === 0 ? add("end") : edit]);
      assertEquals(answers.map(({ status }) => status).toSorted(), [200, 412]);
    });
  }));

Deno.test("a heading cannot stop being toggleable and get a child at the same time", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    await races(async (ahead) => {
      const heading = { heading_1: { rich_text: [], is_toggleable: true } };
      const { id } = await appendOne(app, page, heading);
      const answers = await race(ahead, [
        () => app.call(`PATCH /v2/blocks/${id}/children`, { body: { children: [paragraph("x")] } }),
        () => app.call(`PATCH /v2/blocks/${id}`, { body: { heading_1: { is_toggleable: false } } }),
      ]);
      assertEquals(answers.map(({ status }) => status).toSorted(), [200, 400]);
    });
  }));
