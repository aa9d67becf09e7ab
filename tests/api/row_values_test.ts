import { assert, assertEquals } from "../assert.ts";
import type { Answer, TestApp } from "../support/app.ts";
import { withFaithfulApp } from "../support/faithful.ts";
import { newDatabase, newRow, titled, valuesOf } from "./database_driver.ts";
import { childrenOf, newPage, paragraph, succeed, text, textsOf } from "./driver.ts";
import { everyType, tokenOf, valueOf } from "./every_type.ts";
import { valueSamples } from "./value_samples.ts";

function edit(app: TestApp, id: string, properties: object): Promise<Answer["json"]> {
  return succeed(app, `PATCH /v2/pages/${id}`, { body: { properties } });
}

function read(app: TestApp, id: string): Promise<Answer["json"]> {
  return succeed(app, `GET /v2/pages/${id}`);
}

Deno.test("a value of every type is read as written, replaced completely, and cleared", () =>
  withFaithfulApp(async (app) => {
    const every = await everyType(app);
    for (const [type, { values, clear, empty }] of Object.entries(valueSamples(every))) {
      const [first] = values;
      const row = await newRow(app, every.id, { [type]: { [type]: first?.[0] } });
      assertEquals(valueOf(row, type), first?.[1], type);
      assertEquals(await read(app, row.id), row);
      for (const [given, expected] of [...values, [clear, empty]]) {
        const edited = await edit(app, row.id, { [type]: { [type]: given } });
        assertEquals(valueOf(edited, type), expected, type);
        assertEquals(await read(app, row.id), edited);
      }
    }
  }));

Deno.test("values can be written back as read, by name or id, without changes", () =>
  withFaithfulApp(async (app) => {
    const every = await everyType(app);
    const samples = Object.entries(valueSamples(every));
    const values = samples.map(([type, { values: [first] }]) => [type, { [type]: first?.[0] }]);
    const row = await newRow(app, every.id, Object.fromEntries(values));
    const written = new Set(samples.map(([type]) => type));
    const entries = Object.entries<{ id: string; type: string }>(row.properties)
      .filter(([, { type }]) => written.has(type));
    assertEquals(entries.length, samples.length);
    const byId = entries.map(([, value]) => [value.id, value]);
    for (const properties of [Object.fromEntries(entries), Object.fromEntries(byId)]) {
      assertEquals((await edit(app, row.id, properties)).properties, {
        ...row.properties,
        last_edited_time: (await read(app, row.id)).properties.last_edited_time,
      });
    }
  }));

Deno.test("values that are left out are empty, except a status, which has its first option", () =>
  withFaithfulApp(async (app) => {
    const every = await everyType(app);
    const row = await newRow(app, every.id);
    for (const [type, { empty }] of Object.entries(valueSamples(every))) {
      if (type !== "status") assertEquals(valueOf(row, type), empty, type);
    }
    const [first] = every.database.properties.status.status.options;
    assertEquals(valueOf(row, "status"), { id: first.id, name: first.name, color: first.color });
    assertEquals(valueOf(row, "unique_id"), { number: 1, prefix: "ROW" });
    assertEquals(valueOf(row, "button"), {});
    assertEquals(valueOf(row, "verification"), {
      state: "unverified",
      verified_by: null,
      date: null,
    });
    assertEquals(valueOf(row, "rollup"), { type: "number", number: 0, function: "sum" });
    assertEquals(row.properties.relation.has_more, false);
  }));

Deno.test("an edit keeps the values that it does not name", () =>
  withFaithfulApp(async (app) => {
    const { id, one, two } = await everyType(app);
    const row = await newRow(app, id, {
      number: { number: 2 },
      email: { email: "a@b.test" },
      relation: { relation: [{ id: one }, { id: two }] },
    });
    const edited = await edit(app, row.id, { number: { number: 4 } });
    const { number, email, relation, formula, rollup } = valuesOf(edited);
    assertEquals([number, email], [4, "a@b.test"]);
    assertEquals(relation, [{ id: one }, { id: two }]);
    assertEquals(formula, { type: "number", number: 8 });
    assertEquals(rollup, { type: "number", number: 3, function: "sum" });
  }));

Deno.test("a new option in a row is added to the schema, once and permanently", () =>
  withFaithfulApp(async (app) => {
    const { id } = await everyType(app);
    const row = await newRow(app, id, {
      select: { select: { name: "New", color: "pink" } },
      multi_select: { multi_select: [{ name: "x" }, { name: "A" }, { name: "x" }] },
    });
    await edit(app, row.id, { select: { select: { name: "A", color: "green" } } });
    const { properties } = await succeed(app, `GET /v2/databases/${id}`);
    const optionsOf = (type: string) =>
      properties[type][type].options.map((
        { name, color }: Record<string, string>,
      ) => [name, color]);
    assertEquals(optionsOf("select"), [["A", "red"], ["B", "default"], ["New", "pink"]]);
    assertEquals(optionsOf("multi_select").map(([name]: string[]) => name), ["A", "B", "x"]);
    const again = await newRow(app, id, { select: { select: { name: "New" } } });
    assertEquals(valueOf(again, "select"), valueOf(row, "select"));
  }));

Deno.test("numbers of rows are never reused, even if rows are deleted", () =>
  withFaithfulApp(async (app) => {
    const { id } = await newDatabase(app, { No: { unique_id: {} } });
    const first = await newRow(app, id);
    await succeed(app, `DELETE /v2/pages/${first.id}`);
    const second = await newRow(app, id);
    assertEquals(valuesOf(second).No, { number: 2, prefix: null });
    assertEquals(valuesOf(await read(app, first.id)).No, { number: 1, prefix: null });
  }));

/** The members that every reference to a user has. */
function partial(user: unknown): object {
  const { object, id } = Object(user);
  return { object, id };
}

Deno.test("a row shows who created it and who edited it last, and when", () => {
  let now = Date.now();
  return withFaithfulApp(async (app) => {
    const { id } = await everyType(app);
    const [ann, bob] = [await tokenOf(app, "Ann"), await tokenOf(app, "Bob")];
    const row = await succeed(app, "POST /v2/pages", {
      token: ann,
      body: { parent: { database_id: id }, properties: {} },
    });
    const made = new Date(now).toISOString();
    now += 1_500;
    const edited = await succeed(app, `PATCH /v2/pages/${row.id}`, {
      token: bob,
      body: { properties: { number: { number: 1 } } },
    });
    assertEquals([row.created_time, row.last_edited_time], [made, made]);
    for (const page of [row, edited]) {
      const { created_time, created_by, last_edited_time, last_edited_by } = valuesOf(page);
      assertEquals([created_time, last_edited_time], [page.created_time, page.last_edited_time]);
      assertEquals([created_by, last_edited_by].map(partial), [
        ...[page.created_by, page.last_edited_by],
      ]);
    }
    assertEquals(edited.created_time, made);
    assertEquals(edited.last_edited_time, new Date(now).toISOString());
    assertEquals(edited.created_by, row.last_edited_by);
    assert(edited.last_edited_by.id !== row.last_edited_by.id);
  }, { now: () => now });
});

Deno.test("a verification is by the user who writes it, and expires", () => {
  let now = Date.now();
  return withFaithfulApp(async (app) => {
    const { id, ann } = await everyType(app);
    const { id: me } = await succeed(app, "GET /v2/users/me");
    const at = (time: number) => new Date(time).toISOString().replace("Z", "+00:00");
    const [start, end] = [at(now), at(now + 60_000)];
    const row = await newRow(app, id, {
      verification: {
        verification: { state: "verified", verified_by: { id: ann }, date: { start, end } },
      },
    });
    const verified = {
      state: "verified",
      verified_by: await succeed(app, `GET /v2/users/${me}`),
      date: { start, end, time_zone: null },
    };
    assertEquals(valueOf(row, "verification"), verified);
    now += 120_000;
    assertEquals(valueOf(await read(app, row.id), "verification"), {
      ...verified,
      state: "expired",
    });
    const cleared = await edit(app, row.id, { verification: { verification: null } });
    assertEquals(valueOf(cleared, "verification"), {
      state: "unverified",
      verified_by: null,
      date: null,
    });
  }, { now: () => now });
});

Deno.test("filter_properties returns only the named properties, in the order of the schema", () =>
  withFaithfulApp(async (app) => {
    const { id, database } = await everyType(app);
    const row = await newRow(app, id, { Name: titled("a"), number: { number: 2 } });
    const asked = (...names: string[]) => {
      const query = names.map((name) => `filter_properties=${encodeURIComponent(name)}`).join("&");
      return `GET /v2/pages/${row.id}?${query}`;
    };
    const some = await succeed(app, asked("formula", database.properties.number.id, "title"));
    assertEquals(valuesOf(some), {
      Name: valueOf(row, "title"),
      number: 2,
      formula: { type: "number", number: 4 },
    });
    const { status, json } = await app.call(asked("number", "Nope"));
    assertEquals(status, 400);
    assertEquals(json.errors, [{
      pointer: "/filter_properties/1",
      detail: "Could not find property with name or id: Nope",
    }]);
  }));

Deno.test("a row in the trash can be read but not edited, and is restored unchanged", () =>
  withFaithfulApp(async (app) => {
    const { id } = await newDatabase(app, { Count: { number: {} } });
    const row = await newRow(app, id, { Count: { number: 1 } });
    const properties = { Count: { number: 2 } };
    await edit(app, row.id, properties);
    const gone = await succeed(app, `DELETE /v2/pages/${row.id}`);
    assertEquals([gone.in_trash, valuesOf(gone).Count], [true, 2]);
    const { status, json } = await app.call(`PATCH /v2/pages/${row.id}`, { body: { properties } });
    assertEquals(status, 400);
    assert(/can't edit block that is archived/i.test(json.message));
    const body = { in_trash: false, properties: { Count: { number: 3 } } };
    const back = await succeed(app, `PATCH /v2/pages/${row.id}`, { body });
    assertEquals([back.in_trash, valuesOf(back).Count], [false, 3]);
    assertEquals(await read(app, row.id), back);
  }));

Deno.test("a row has its own content, icon and cover, and is not a block of any page", () =>
  withFaithfulApp(async (app) => {
    const { id } = await newDatabase(app);
    const cover = { type: "external", external: { url: "https://recto.test/c.png" } };
    const row = await succeed(app, "POST /v2/pages", {
      body: {
        parent: { database_id: id },
        properties: { Name: titled("a") },
        children: [paragraph("inside")],
        icon: { emoji: "🐢" },
        cover,
      },
    });
    assertEquals([row.icon, row.cover], [{ type: "emoji", emoji: "🐢" }, cover]);
    assertEquals(row.parent, { type: "database_id", database_id: id });
    assertEquals(textsOf(await childrenOf(app, row.id)), ["inside"]);
    const block = await succeed(app, `GET /v2/blocks/${row.id}`);
    assertEquals([block.type, block.child_page, block.has_children], [
      "child_page",
      { title: "a" },
      true,
    ]);
  }));

Deno.test("a title that mentions a page shows the page's current name", () =>
  withFaithfulApp(async (app) => {
    const home = await newPage(app, { title: "Before" });
    const { id } = await newDatabase(app);
    const row = await newRow(app, id, {
      Name: { title: [{ mention: { page: { id: home } } }, ...text("!")] },
    });
    await edit(app, home, { title: text("After") });
    const names = (page: Answer["json"]) =>
      page.properties.Name.title.map((item: { plain_text: string }) => item.plain_text);
    assertEquals([names(row), names(await read(app, row.id))], [["Before", "!"], ["After", "!"]]);
  }));
