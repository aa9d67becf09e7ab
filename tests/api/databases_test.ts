import { assert, assertEquals } from "../assert.ts";
import { withApp } from "../support/app.ts";
import { namedRows, newDatabase, newRow, query, titled, valuesOf } from "./database_driver.ts";
import { childrenOf, newPage, refusal, succeed, text, UNKNOWN } from "./driver.ts";

Deno.test("a database is returned and read as it was written", () =>
  withApp(async (app) => {
    const made = await newDatabase(app, {
      Budget: { number: { format: "dollar" } },
      Kind: { select: { options: [{ name: "A", color: "red" }] } },
    }, {
      description: text("All of them"),
      icon: { emoji: "📦" },
      is_inline: true,
    });
    assertEquals(made.object, "database");
    assertEquals(made.title[0].plain_text, "Things");
    assertEquals(made.description[0].plain_text, "All of them");
    assertEquals(made.is_inline, true);
    assertEquals(Object.keys(made.properties), ["Name", "Budget", "Kind"]);
    assertEquals(made.properties.Name.id, "title");
    assertEquals(made.properties.Budget.number, { format: "dollar" });
    assertEquals(made.properties.Kind.select.options[0].color, "red");
    assertEquals(await succeed(app, `GET /v2/databases/${made.id}`), made);
  }));

Deno.test("a database in a page is its last block", () =>
  withApp(async (app) => {
    const home = await newPage(app, { children: [{ divider: {} }] });
    const made = await newDatabase(app, {}, { parent: { page_id: home } });
    await newRow(app, made.id);
    const [, block] = await childrenOf(app, home);
    assertEquals(block?.type, "child_database");
    assertEquals(block?.child_database, { title: "Things" });
    assertEquals(block?.has_children, false);
    assertEquals(await childrenOf(app, made.id), []);
  }));

Deno.test("all issues of a schema are reported at once, and nothing is written", () =>
  withApp(async (app) => {
    const home = await newPage(app);
    const { status, json } = await app.call("POST /v2/databases", {
      body: {
        parent: { page_id: home },
        properties: {
          One: { title: {} },
          Two: { title: {} },
          Sum: { formula: { expression: 'prop("Nope") +' } },
          Link: { relation: { database_id: UNKNOWN, single_property: {} } },
        },
      },
    });
    assertEquals([status, json.code], [400, "validation_error"]);
    const pointers = json.errors.map(({ pointer }: { pointer: string }) => pointer);
    assert(pointers.some((pointer: string) => pointer.startsWith("/properties/Sum")));
    assert(pointers.some((pointer: string) => pointer.startsWith("/properties/Link")));
    assert(pointers.length >= 3, JSON.stringify(json.errors));
    assertEquals(await childrenOf(app, home), []);
  }));

Deno.test("each kind is found only by its own route, and errors have the messages that clients know", () =>
  withApp(async (app) => {
    const page = await newPage(app);
    const { id } = await newDatabase(app);
    const asDatabase = await app.call(`GET /v2/databases/${page}`);
    assertEquals(asDatabase.status, 400);
    assert(asDatabase.json.message.includes("is a page, not a database"));
    const asPage = await app.call(`GET /v2/pages/${id}`);
    assertEquals(asPage.status, 400);
    assert(asPage.json.message.includes("is a database, not a page"));
    assertEquals(refusal(await app.call(`GET /v2/databases/${UNKNOWN}`)), [
      404,
      "object_not_found",
    ]);
    assertEquals(refusal(await app.call(`POST /v2/databases/${UNKNOWN}/query`)), [
      404,
      "object_not_found",
    ]);
  }));

Deno.test("properties are added, renamed, changed in type and deleted; convertible values stay", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app, { Count: { number: {} }, Gone: { rich_text: {} } });
    const row = await newRow(app, id, { Count: { number: 12 }, Gone: { rich_text: text("x") } });
    const after = await succeed(app, `PATCH /v2/databases/${id}`, {
      body: {
        properties: {
          Count: { name: "Amount", rich_text: {} },
          Gone: null,
          New: { checkbox: {} },
        },
      },
    });
    assertEquals(Object.keys(after.properties), ["Name", "Amount", "New"]);
    const read = await succeed(app, `GET /v2/pages/${row.id}`);
    assertEquals(read.properties.Amount.rich_text[0].plain_text, "12");
    assertEquals(read.properties.New.checkbox, false);
    assert(!("Gone" in read.properties));
    assertEquals(read.last_edited_time, row.last_edited_time);
    const filter = { property: "New", checkbox: { equals: false } };
    assertEquals((await query(app, id, { filter })).length, 1);
    const text12 = { property: "Amount", rich_text: { equals: "12" } };
    assertEquals((await query(app, id, { filter: text12 })).length, 1);
  }));

Deno.test("options keep their identity when edited, and a deleted option leaves no value", () =>
  withApp(async (app) => {
    const { id, properties } = await newDatabase(app, {
      Kind: { select: { options: [{ name: "A" }, { name: "B" }] } },
      Tags: { multi_select: {} },
    });
    const row = await newRow(app, id, {
      Kind: { select: { name: "B" } },
      Tags: { multi_select: [{ name: "x" }, { name: "y" }] },
    });
    const [a] = properties.Kind.select.options;
    const after = await succeed(app, `PATCH /v2/databases/${id}`, {
      body: {
        properties: {
          Kind: { select: { options: [{ name: "C" }, { id: a.id }] } },
          Tags: { multi_select: { options: [{ name: "y" }] } },
        },
      },
    });
    const names = after.properties.Kind.select.options.map((one: { name: string }) => one.name);
    assertEquals(names, ["C", "A"]);
    assertEquals(after.properties.Kind.select.options[1].id, a.id);
    const { Kind, Tags } = valuesOf(await succeed(app, `GET /v2/pages/${row.id}`));
    assertEquals(Kind, null);
    assertEquals((Tags as { name: string }[]).map(({ name }) => name), ["y"]);
    const empty = { property: "Kind", select: { is_empty: true } };
    assertEquals((await query(app, id, { filter: empty })).length, 1);
    const refused = await app.call(`PATCH /v2/databases/${id}`, {
      body: { properties: { Kind: { select: { options: [{ id: a.id, name: "Other" }] } } } },
    });
    assertEquals(refusal(refused), [400, "validation_error"]);
  }));

Deno.test("the title can be renamed, but not deleted, changed in type or added twice", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app);
    const patch = (properties: object) =>
      app.call(`PATCH /v2/databases/${id}`, { body: { properties } });
    assertEquals((await patch({ Name: { name: "Task" } })).json.properties.Task.id, "title");
    for (const change of [{ Task: null }, { title: { number: {} } }, { More: { title: {} } }]) {
      assertEquals(refusal(await patch(change)), [400, "validation_error"], JSON.stringify(change));
    }
  }));

Deno.test("existing rows get a number when their database begins to number them", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app);
    await namedRows(app, id, { first: {}, second: {} });
    await succeed(app, `PATCH /v2/databases/${id}`, {
      body: { properties: { No: { unique_id: { prefix: "T" } } } },
    });
    await namedRows(app, id, { third: {} });
    const list = await succeed(app, `POST /v2/databases/${id}/query`, {
      body: { sorts: [{ property: "No", direction: "ascending" }] },
    });
    assertEquals(
      list.results.map((page: { properties: { No: { unique_id: object } } }) =>
        page.properties.No.unique_id
      ),
      [1, 2, 3].map((number) => ({ number, prefix: "T" })),
    );
  }));

Deno.test("both sides of a dual relation change together, whichever is written", () =>
  withApp(async (app) => {
    const projects = await newDatabase(app);
    const tasks = await newDatabase(app, {
      Project: { relation: { database_id: projects.id, dual_property: {} } },
    });
    const { synced_property_name } = tasks.properties.Project.relation.dual_property;
    const project = await newRow(app, projects.id, { Name: titled("P") });
    const task = await newRow(app, tasks.id, { Project: { relation: [{ id: project.id }] } });
    const other = await newRow(app, tasks.id);
    const mirror = async () =>
      valuesOf(await succeed(app, `GET /v2/pages/${project.id}`))[synced_property_name];
    assertEquals(await mirror(), [{ id: task.id }]);
    await succeed(app, `PATCH /v2/pages/${project.id}`, {
      body: { properties: { [synced_property_name]: { relation: [{ id: other.id }] } } },
    });
    const projectOf = async (id: string) =>
      valuesOf(await succeed(app, `GET /v2/pages/${id}`)).Project;
    assertEquals(await projectOf(task.id), []);
    assertEquals(await projectOf(other.id), [{ id: project.id }]);
    await succeed(app, `DELETE /v2/pages/${other.id}`);
    assertEquals(await mirror(), []);
  }));

Deno.test("a relation accepts only rows of its database that are not in the trash", () =>
  withApp(async (app) => {
    const projects = await newDatabase(app);
    const tasks = await newDatabase(app, {
      Project: { relation: { database_id: projects.id, single_property: {} } },
    });
    const { id: gone } = await newRow(app, projects.id);
    await succeed(app, `DELETE /v2/pages/${gone}`);
    const { id: stranger } = await newRow(app, tasks.id);
    for (const id of [gone, stranger, UNKNOWN, projects.id]) {
      const { status, json } = await app.call("POST /v2/pages", {
        body: {
          parent: { database_id: tasks.id },
          properties: { Project: { relation: [{ id }] } },
        },
      });
      assertEquals(status, 400);
      assertEquals(json.errors[0].pointer, "/properties/Project/relation/0/id");
    }
  }));

Deno.test("a database is trashed and restored with its rows", () =>
  withApp(async (app) => {
    const { id } = await newDatabase(app);
    const { a = "" } = await namedRows(app, id, { a: {}, b: {} });
    const trashed = await succeed(app, `DELETE /v2/databases/${id}`);
    assertEquals([trashed.archived, trashed.in_trash], [true, true]);
    assertEquals((await succeed(app, `GET /v2/pages/${a}`)).in_trash, true);
    const late = await app.call("POST /v2/pages", {
      body: { parent: { database_id: id }, properties: {} },
    });
    assertEquals(refusal(late), [400, "validation_error"]);
    const edit = await app.call(`PATCH /v2/databases/${id}`, { body: { title: text("x") } });
    assert(/can't edit block that is archived/i.test(edit.json.message));
    await succeed(app, `PATCH /v2/databases/${id}`, { body: { in_trash: false } });
    assertEquals(await query(app, id), ["b", "a"]);
  }));

Deno.test("the entity tag of a database covers everything it shows, including related names", () =>
  withApp(async (app) => {
    const projects = await newDatabase(app, { Cost: { number: {} } });
    const tasks = await newDatabase(app, {
      Project: { relation: { database_id: projects.id, single_property: {} } },
      Costs: {
        rollup: {
          relation_property_name: "Project",
          rollup_property_name: "Cost",
          function: "sum",
        },
      },
    });
    const { headers } = await app.call(`GET /v2/databases/${tasks.id}`);
    const etag = headers.get("etag") ?? "";
    await newRow(app, tasks.id);
    const unchanged = await app.call(`GET /v2/databases/${tasks.id}`, {
      headers: { "if-none-match": etag },
    });
    assertEquals(unchanged.status, 304);
    await succeed(app, `PATCH /v2/databases/${projects.id}`, {
      body: { properties: { Cost: { name: "Price" } } },
    });
    const renamed = await succeed(app, `GET /v2/databases/${tasks.id}`);
    assertEquals(renamed.properties.Costs.rollup.rollup_property_name, "Price");
    const late = await app.call(`PATCH /v2/databases/${tasks.id}`, {
      body: { title: text("Late") },
      headers: { "if-match": etag },
    });
    assertEquals(refusal(late), [412, "precondition_failed"]);
  }));
