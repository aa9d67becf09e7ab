/**
 * Writes of one process while another changes what they were decided on: the second commit is decided
 * again, as if it had been requested after the first.
 *
 * @module
 */
import type { Store } from "../../src/store/port.ts";
import { assertEquals } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import { openStore } from "../support/stores.ts";
import { newDatabase, newRow, query, titled } from "./database_driver.ts";
import { appendOne, childrenOf, idsOf, newPage, paragraph, succeed, toggle } from "./driver.ts";

type Request = readonly [route: string, body: object, headers?: Record<string, string>];

interface Processes {
  /** The process whose writes are never overtaken. */
  readonly fast: TestApp;
  /** Makes the first request in a process and, once it was decided, the second in the other. */
  overtake(first: Request, second: Request): Promise<{
    readonly answer: Answer;
    /** How often the first tried to commit. */
    readonly commits: number;
  }>;
}

/** Runs a test on two processes with one store. */
async function withProcesses(test: (processes: Processes) => Promise<void>): Promise<void> {
  const store = await openStore(":memory:");
  let commits = 0;
  let before: (() => Promise<unknown>) | undefined;
  const delayed =
    <Args extends readonly unknown[], T>(commit: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      commits++;
      const overtaking = before;
      before = undefined;
      await overtaking?.();
      return commit(...args);
    };
  const { early } = store;
  const delaying: Store = {
    ...store,
    commit: delayed(store.commit),
    ...(early && { early: { ...early, apply: delayed(early.apply) } }),
  };
  await withApp((slow) =>
    withApp((fast) =>
      test({
        fast,
        async overtake([route, body, headers], [otherRoute, otherBody]) {
          commits = 0;
          before = () => succeed(fast, otherRoute, { body: otherBody, headers: wire(otherRoute) });
          const answer = await slow.call(route, { body, headers: { ...wire(route), ...headers } });
          assertEquals(before, undefined, `The other request was made: ${answer.text}`);
          return { answer, commits };
        },
      }), { store: { ...store, close: () => Promise.resolve() } }), { store: delaying });
}

function wire(route: string): Record<string, string> {
  return route.includes(" /v1/") ? { "notion-version": "2026-03-11" } : {};
}

Deno.test("a row is not linked to a row that another process moves out of the database", () =>
  withProcesses(async ({ fast, overtake }) => {
    const home = await newPage(fast);
    const projects = await newDatabase(fast);
    const tasks = await newDatabase(fast, {
      Projects: { relation: { database_id: projects.id, dual_property: {} } },
    });
    const task = await newRow(fast, tasks.id, { Name: titled("task") });
    for (const isNew of [false, true]) {
      const project = await newRow(fast, projects.id, { Name: titled("project") });
      const properties = { Projects: { relation: [{ id: project.id }] } };
      const { answer } = await overtake(
        isNew
          ? ["POST /v2/pages", { parent: { database_id: tasks.id }, properties }]
          : [`PATCH /v2/pages/${task.id}`, { properties }],
        [`POST /v1/pages/${project.id}/move`, { parent: { type: "page_id", page_id: home } }],
      );
      assertEquals([answer.status, answer.json.code], [400, "validation_error"]);
    }
    const linked = { property: "Projects", relation: { is_not_empty: true } };
    assertEquals((await query(fast, tasks.id, { filter: linked })).length, 0);
  }));

Deno.test("a heading gets no children that another process makes not toggleable", () =>
  withProcesses(async ({ fast, overtake }) => {
    const page = await newPage(fast);
    for (const isAppending of [true, false]) {
      const { id } = await appendOne(fast, page, {
        heading_1: { rich_text: [], is_toggleable: true },
      });
      const append: Request = [`PATCH /v2/blocks/${id}/children`, { children: [paragraph("x")] }];
      const close: Request = [`PATCH /v2/blocks/${id}`, { heading_1: { is_toggleable: false } }];
      const { answer } = await (isAppending ? overtake(append, close) : overtake(close, append));
      assertEquals([answer.status, answer.json.code], [400, "validation_error"]);
      const heading = await succeed(fast, `GET /v2/blocks/${id}`);
      assertEquals(heading.has_children, !isAppending);
      assertEquals(heading.heading_1.is_toggleable, !isAppending);
    }
  }));

Deno.test("two processes append below one heading without conflicts", () =>
  withProcesses(async ({ fast, overtake }) => {
    const page = await newPage(fast);
    const heading = { heading_1: { rich_text: [], is_toggleable: true } };
    const { id } = await appendOne(fast, page, heading);
    await appendOne(fast, id, paragraph("between"));
    const at = (type: string): Request => [
      `PATCH /v2/blocks/${id}/children`,
      { children: [paragraph(type)], position: { type } },
    ];
    const { answer, commits } = await overtake(at("start"), at("end"));
    assertEquals([answer.status, commits], [200, 1]);
    assertEquals((await childrenOf(fast, id)).length, 3);
  }));

/** Edits of the Markdown of a page with the toggle `open`. */
const EDITS = {
  update_content: { content_updates: [{ old_str: "open", new_str: "opened" }] },
  insert_content: { content: "opened", position: { type: "start" } },
};

Deno.test("an edit of Markdown keeps the blocks that another process appends", () =>
  withProcesses(async ({ fast, overtake }) => {
    for (const [type, edit] of Object.entries(EDITS)) {
      const page = await newPage(fast, { children: [toggle("open", [paragraph("inner")])] });
      const [id = ""] = idsOf(await childrenOf(fast, page));
      const { answer } = await overtake(
        [`PATCH /v1/pages/${page}/markdown`, { type, [type]: edit }],
        [`PATCH /v2/blocks/${id}/children`, { children: [paragraph("appended")] }],
      );
      assertEquals([answer.status, type], [200, type], answer.text);
      for (const word of ["opened", "inner", "appended"]) {
        assertEquals(answer.json.markdown.includes(word), true, answer.json.markdown);
      }
    }
  }));

Deno.test("an edit of Markdown under If-Match fails once another process changed the page", () =>
  withProcesses(async ({ fast, overtake }) => {
    const edits = { ...EDITS, replace_content: { new_str: "opened" } };
    for (const [type, edit] of Object.entries(edits)) {
      const page = await newPage(fast, { children: [toggle("open", [paragraph("inner")])] });
      const [id = ""] = idsOf(await childrenOf(fast, page));
      const route = `/v2/pages/${page}/content/markdown`;
      const { headers } = await fast.call(`GET ${route}?variant=enhanced`);
      const { answer } = await overtake(
        [`PATCH /v1/pages/${page}/markdown`, { type, [type]: edit }, {
          "if-match": headers.get("etag") ?? "",
        }],
        [`PATCH /v2/blocks/${id}/children`, { children: [paragraph("appended")] }],
      );
      assertEquals([answer.status, type], [412, type], answer.text);
      const { markdown } = await succeed(fast, `GET ${route}`);
      assertEquals([markdown.includes("appended"), markdown.includes("opened")], [true, false]);
    }
  }));

Deno.test("formulas of two databases that two processes change form no cycle", () =>
  withProcesses(async ({ fast, overtake }) => {
    for (const isRestored of [false, true]) {
      const other = await newDatabase(fast, { B: { formula: { expression: "1" } } });
      const one = await newDatabase(fast, {
        A: { formula: { expression: "1" } },
        R: { relation: { database_id: other.id, dual_property: {} } },
      });
      const mirror = one.properties.R.relation.dual_property.synced_property_name;
      const sum = (relation: string, name: string) => ({
        formula: { expression: `prop("${relation}").map(current.prop("${name}")).sum() + 1` },
      });
      if (isRestored) await succeed(fast, `DELETE /v2/databases/${other.id}`);
      const B = sum(mirror, "A");
      const { answer } = await overtake(
        [`PATCH /v2/databases/${one.id}`, { properties: { A: sum("R", "B") } }],
        [`PATCH /v2/databases/${other.id}`, { in_trash: false, properties: { B } }],
      );
      assertEquals([answer.status, answer.json.code], [400, "validation_error"], answer.text);
    }
  }));
