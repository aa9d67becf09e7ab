import { assert, assertEquals, assertMatch } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import {
  appendOne,
  childrenOf,
  idsOf,
  newPage,
  paragraph,
  refusal,
  succeed,
  text,
  toggle,
} from "./driver.ts";

/** A page, and a block of another page: the path and the entity tag of each. */
async function twoObjects(
  app: TestApp,
): Promise<readonly (readonly [path: string, tag: string])[]> {
  const page = await newPage(app);
  const { id: block } = await appendOne(app, await newPage(app), toggle("x"));
  const paths = [`/v2/pages/${page}`, `/v2/blocks/${block}`];
  return await Promise.all(paths.map(async (path) => [path, await tagOf(app, path)] as const));
}

async function tagOf(app: TestApp, path: string): Promise<string> {
  return (await app.call(`GET ${path}`)).headers.get("etag") ?? "";
}

/** The entity tag without its quotes, as a client may send it. */
function bare(tag: string): string {
  return tag.slice(1, -1);
}

Deno.test("a page and a block have a strong entity tag that is the same for all who see the same", () =>
  withApp(async (app) => {
    for (const [path, tag] of await twoObjects(app)) {
      assertMatch(tag, /^"[!#-~]+"$/);
      assertEquals(await tagOf(app, path), tag);
      const scope = "pages.read blocks.read users.read users.email.read";
      const token = await app.mint({ sub: "ada", scope });
      assertEquals((await app.call(`GET ${path}`, { token })).headers.get("etag"), tag);
      assertEquals((await app.call(`HEAD ${path}`)).headers.get("etag"), tag);
    }
  }));

Deno.test("If-None-Match with the current tag is a 304 without a body", () =>
  withApp(async (app) => {
    for (const [path, tag] of await twoObjects(app)) {
      for (
        const held of [tag, `W/${tag}`, `"other", ${tag}`, `"a",W/${tag} , "b"`, "*", bare(tag)]
      ) {
        for (const method of ["GET", "HEAD"]) {
          const answer = await app.call(`${method} ${path}`, {
            headers: { "if-none-match": held },
          });
          assertEquals([answer.status, answer.text], [304, ""], held);
          assertEquals(answer.headers.get("etag"), tag);
          assertEquals(answer.headers.get("cache-control"), "private, no-cache");
          assertEquals(answer.headers.get("content-type"), null);
        }
      }
      for (const other of ['"other"', 'W/"other", "another"', '""']) {
        const answer = await app.call(`GET ${path}`, { headers: { "if-none-match": other } });
        assertEquals(answer.status, 200);
      }
    }
  }));

/** Every way to write to the object at a path. */
function writesTo(path: string): readonly (readonly [route: string, body?: object])[] {
  const isPage = path.startsWith("/v2/pages/");
  return [
    isPage
      ? [`PATCH ${path}`, { properties: { title: text("new") } }]
      : [`PATCH ${path}`, { toggle: { color: "red" } }],
    [`PATCH ${path.replace("pages", "blocks")}/children`, { children: [paragraph("new")] }],
    [`PATCH ${path}`, { in_trash: true }],
    [`DELETE ${path}`],
  ];
}

Deno.test("If-Match with another tag is a 412 that changes nothing and has the current tag", () =>
  withApp(async (app) => {
    for (const [path, tag] of await twoObjects(app)) {
      const before = await app.call(`GET ${path}`);
      for (const held of ['"other"', `W/${tag}`, `W/${tag}, "other"`, '""']) {
        for (const [route, body] of writesTo(path)) {
          const refused = await app.call(route, { body, headers: { "if-match": held } });
          assertEquals(refusal(refused), [412, "precondition_failed"], `${route} ${held}`);
          assertEquals(refused.headers.get("etag"), tag);
        }
      }
      assertEquals((await app.call(`GET ${path}`)).text, before.text);
    }
  }));

Deno.test("If-Match with the current tag, alone, in a list or as a star, allows the write", () =>
  withApp(async (app) => {
    for (const toHeld of [(tag: string) => tag, (tag: string) => `"other", ${tag}`, () => "*"]) {
      for (const [path] of await twoObjects(app)) {
        for (const [route, body] of writesTo(path).slice(0, -1)) {
          const headers = { "if-match": toHeld(await tagOf(app, path)) };
          const answer = await app.call(route, { body, headers });
          assertEquals(answer.status, 200, `${route} ${headers["if-match"]}`);
          if (!route.endsWith("/children")) {
            assertEquals(answer.headers.get("etag"), await tagOf(app, path));
          }
        }
        const headers = { "if-match": toHeld(await tagOf(app, path)) };
        assertEquals((await app.call(`DELETE ${path}`, { headers })).status, 200);
      }
    }
  }));

Deno.test("If-None-Match with the current tag on a write is a 412", () =>
  withApp(async (app) => {
    for (const [path, tag] of await twoObjects(app)) {
      for (const held of ["*", tag, `W/${tag}`]) {
        const refused = await app.call(`DELETE ${path}`, { headers: { "if-none-match": held } });
        assertEquals(refusal(refused), [412, "precondition_failed"]);
      }
      const headers = { "if-none-match": '"other"' };
      assertEquals((await app.call(`DELETE ${path}`, { headers })).status, 200);
    }
  }));

Deno.test("a malformed precondition is a 400, before anything is read or written", () =>
  withApp(async (app) => {
    const [[path] = [""]] = await twoObjects(app);
    const before = await app.call(`GET ${path}`);
    for (const held of ["a b", '"a" "b"', '"a', 'w/"a"', '*, "a"', '"a",', ",", "W/*", "W/"]) {
      for (const name of ["if-match", "if-none-match"]) {
        for (const route of [`GET ${path}`, `DELETE ${path}`]) {
          const refused = await app.call(route, { headers: { [name]: held } });
          assertEquals(refusal(refused), [400, "invalid_request"], `${name}: ${held}`);
        }
      }
    }
    assertEquals((await app.call(`GET ${path}`)).text, before.text);
  }));

interface Snapshot {
  readonly tag: string;
  readonly body: string;
}

/** Entity tag and body of each path. */
async function snapshot(app: TestApp, paths: readonly string[]): Promise<Map<string, Snapshot>> {
  const entries = await Promise.all(paths.map(async (path) => {
    const { status, headers, text: body } = await app.call(`GET ${path}`);
    assertEquals(status, 200);
    return [path, { tag: headers.get("etag") ?? "", body }] as const;
  }));
  return new Map(entries);
}

/** Runs an action and checks that tags changed exactly where bodies did, including `changed`. */
type Step = (act: () => Promise<unknown>, changed: readonly string[]) => Promise<void>;

async function watch(app: TestApp, paths: readonly string[]): Promise<Step> {
  let state = await snapshot(app, paths);
  const seen = new Set([...state].map(([path, { tag }]) => `${path} ${tag}`));
  return async (act, changed) => {
    await act();
    const now = await snapshot(app, paths);
    const differing = (member: keyof Snapshot) =>
      paths.filter((path) => now.get(path)?.[member] !== state.get(path)?.[member]);
    const tagged = differing("tag");
    assertEquals(tagged, differing("body"), `${act}`);
    for (const path of changed) assert(tagged.includes(path), `${path} by ${act}`);
    assert(changed.length > 0 || tagged.length === 0, `nothing by ${act}`);
    for (const name of tagged.map((path) => `${path} ${now.get(path)?.tag}`)) {
      assert(!seen.has(name), `${name} was there before ${act}`);
      seen.add(name);
    }
    state = now;
  };
}

interface Watched {
  readonly app: TestApp;
  readonly step: Step;
  /** A page in a page. */
  readonly top: string;
  readonly page: string;
  /** A toggle of that page, and a paragraph that mentions `named` and Ada. */
  readonly toggleId: string;
  readonly mention: string;
  readonly named: string;
  /** A page whose title mentions them. */
  readonly other: string;
}

const ada = (app: TestApp, name: string) => app.mint({ sub: "ada", name });

/** Runs a test on a workspace with snapshots of all replies, with no two edits at the same time. */
function withWatched(test: (watched: Watched) => Promise<void>): Promise<void> {
  let clock = Date.now();
  return withApp(async (app) => {
    const { id: user } = await succeed(app, "GET /v2/users/me", { token: await ada(app, "Ada") });
    const named = await newPage(app, { title: "Named" });
    const mentions = [{ mention: { page: { id: named } } }, { mention: { user: { id: user } } }];
    const top = await newPage(app, { title: "Top" });
    const children = [toggle("empty"), { paragraph: { rich_text: mentions } }];
    const page = await newPage(app, { parent: { page_id: top }, children });
    const other = await newPage(app);
    await patch(app, `/v2/pages/${other}`, { properties: { title: mentions } });
    const [toggleId = "", mention = ""] = idsOf(await childrenOf(app, page));
    const pages = [top, page, named, other];
    const step = await watch(app, [
      ...pages.map((id) => `/v2/pages/${id}`),
      ...[...pages, toggleId, mention].map((id) => `/v2/blocks/${id}`),
    ]);
    await test({ app, step, top, page, toggleId, mention, named, other });
  }, { now: () => clock += 5 });
}

function patch(app: TestApp, path: string, body: object): Promise<Answer["json"]> {
  return succeed(app, `PATCH ${path}`, { body });
}

Deno.test("an entity tag changes iff the reply does: edits of the page and its content", () =>
  withWatched(async ({ app, step, top, page, toggleId }) => {
    const title = { properties: { title: text("New") } };
    await step(() => patch(app, `/v2/pages/${page}`, title), [
      ...[`/v2/pages/${page}`, `/v2/blocks/${page}`, `/v2/pages/${top}`],
    ]);
    let child = "";
    await step(async () => {
      child = (await appendOne(app, toggleId, paragraph("first"))).id;
    }, [`/v2/blocks/${toggleId}`, `/v2/pages/${page}`]);
    await step(() => appendOne(app, toggleId, paragraph("second")), [`/v2/pages/${page}`]);
    await step(() => patch(app, `/v2/blocks/${child}`, { paragraph: { color: "red" } }), [
      `/v2/pages/${page}`,
    ]);
    await step(() => patch(app, `/v2/pages/${page}`, {}), []);
    await step(() => childrenOf(app, page), []);
    await step(() => app.call(`PATCH /v2/pages/${page}`, { body: { nonsense: 1 } }), []);
  }));

Deno.test("an entity tag changes iff the reply does: names in mentions", () =>
  withWatched(async ({ app, step, mention, named, other }) => {
    const title = { properties: { title: text("Renamed") } };
    await step(() => patch(app, `/v2/pages/${named}`, title), [
      ...[`/v2/blocks/${mention}`, `/v2/pages/${other}`, `/v2/blocks/${other}`],
    ]);
    const nameless = await app.mint({ sub: "ada" });
    await step(() => succeed(app, "GET /v2/users/me", { token: nameless }), []);
    const token = await ada(app, "Countess");
    await step(() => succeed(app, "GET /v2/users/me", { token }), [
      ...[`/v2/blocks/${mention}`, `/v2/pages/${other}`, `/v2/blocks/${other}`],
    ]);
  }));

Deno.test("an entity tag changes iff the reply does: trash of an ancestor page", () =>
  withWatched(async ({ app, step, top, page, toggleId, mention }) => {
    const all = [
      ...[top, page].map((id) => `/v2/pages/${id}`),
      ...[top, page, toggleId, mention].map((id) => `/v2/blocks/${id}`),
    ];
    await step(() => succeed(app, `DELETE /v2/pages/${top}`), all);
    await step(() => succeed(app, `DELETE /v2/pages/${top}`), []);
    await step(() => patch(app, `/v2/pages/${top}`, { in_trash: false }), all);
    await step(() => patch(app, `/v2/pages/${top}`, { in_trash: false }), []);
  }));
