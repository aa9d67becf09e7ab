import { parsePolicy } from "../../src/policy/schema.ts";
import { assert, assertEquals } from "../assert.ts";
import { newDatabase, newRow, titled } from "../api/database_driver.ts";
import { newPage, refusal, succeed, UNKNOWN } from "../api/driver.ts";
import { idsIn, searched } from "../api/search_driver.ts";
import { ALL_SCOPES, type TestApp, withApp } from "../support/app.ts";

const EMAIL = "ada.secret@example.com";
const WITHOUT_EMAIL = ALL_SCOPES.replace(" users.email.read", "");
const NOTHING = { value: 0, relation: "exact" };

/** A database with one row that the user has written and is named in. */
async function fill(app: TestApp, token: string) {
  const { id: user } = await succeed(app, "GET /v2/users/me", { token });
  const call: TestApp["call"] = (route, options = {}) => app.call(route, { token, ...options });
  const { id: database } = await newDatabase({ call }, {
    State: { select: { options: [{ name: "open" }] } },
    Owner: { people: {} },
    Author: { created_by: {} },
    Mail: { formula: { expression: 'email(prop("Author"))' } },
  });
  const { id: row } = await newRow({ call }, database, {
    Name: titled("owl"),
    State: { select: { name: "open" } },
    Owner: { people: [{ id: user }] },
  });
  return { user, database, row };
}

Deno.test("filters, totals and facets of a search tell nothing of another workspace", () =>
  withApp(async (app) => {
    const mine = await app.mint();
    const theirs = await app.mint({ workspace: "other", sub: "eve" });
    const { user, database, row } = await fill(app, theirs);
    await newPage(app, { title: "owl", token: mine });
    const foreign = [database, UNKNOWN];
    for (const id of foreign) {
      const asked = [
        { filter: { database_id: id } },
        {
          filter: {
            not: { database_id: id, filter: { property: "State", select: { equals: "x" } } },
          },
        },
        { facets: [{ database_id: id, property: "State" }] },
        { also: [{ filter: { database_id: id } }] },
      ];
      const answers = await Promise.all(
        asked.map((body) => app.call("POST /v2/search", { body, token: mine })),
      );
      const told = answers.map(({ status, json }) => [status, json.code]);
      assertEquals(told, [
        [404, "object_not_found"],
        [404, "object_not_found"],
        [404, "object_not_found"],
        [404, "object_not_found"],
      ]);
    }
    for (const property of ["parent", "ancestor", "created_by", "last_edited_by"]) {
      const results = [user, database, row, UNKNOWN].map(async (value) => {
        const filter = { property, value };
        const found = await searched(app, { filter, total: true }, { token: mine });
        const without = await searched(app, { filter: { not: filter }, total: true }, {
          token: mine,
        });
        return [found.total.value, idsIn(found).length, without.total.value];
      });
      assertEquals(await Promise.all(results), results.map(() => [0, 0, 1]));
    }
  }));

Deno.test("filters, totals and facets of a search tell nothing of what is in the trash", () =>
  withApp(async (app) => {
    const { user, database, row } = await fill(app, await app.mint());
    const keep = await newRow(app, database, { Name: titled("owl") });
    await succeed(app, `DELETE /v2/pages/${row}`);
    const open = { property: "State", select: { equals: "open" } };
    const facets = [{ database_id: database, property: "State" }];
    for (const query of ["owl", ""]) {
      const filter = { database_id: database, filter: open };
      const list = await searched(app, { query, filter, facets, total: true });
      assertEquals([idsIn(list), list.total], [[], NOTHING]);
      assertEquals([list.facets[0].options, list.facets[0].empty], [[], 0]);
      const rest = await searched(app, { query: "owl", facets, total: true, min_score: 0 });
      assertEquals([idsIn(rest), rest.total.value], [[keep.id], 1]);
      assertEquals([rest.facets[0].options, rest.facets[0].empty], [[], 1]);
    }
    const by = { property: "created_by", value: user };
    const list = await searched(app, { query: "owl", filter: { or: [by, { not: by }] } });
    assertEquals(idsIn(list), [keep.id]);
    const { results } = await succeed(app, "POST /v2/search/semantic", {
      body: { query: "owl", filter: { not: { database_id: database, filter: open } } },
    });
    assertEquals(idsIn({ results }), [keep.id]);
  }));

Deno.test("no filter, total or facet of a search tells an e-mail address", () =>
  withApp(async (app) => {
    const token = await app.mint({ sub: "ada", email: EMAIL, scope: WITHOUT_EMAIL });
    const { database } = await fill(app, token);
    const rows = (filter: object) => ({ database_id: database, filter });
    const parts = [EMAIL, "ada", "secret", "example.com"];
    for (const part of parts) {
      for (const operator of ["equals", "contains", "starts_with"]) {
        const filter = rows({ property: "Mail", formula: { string: { [operator]: part } } });
        for (const scope of [WITHOUT_EMAIL, ALL_SCOPES]) {
          const caller = await app.mint({ sub: "bob", scope });
          const list = await searched(app, { filter, total: true }, { token: caller });
          assertEquals([idsIn(list), list.total], [[], NOTHING]);
          assert(!list.results.some((one: object) => JSON.stringify(one).includes(EMAIL)));
        }
      }
    }
    const refused = [
      { filter: { property: "created_by", value: EMAIL } },
      { filter: { property: "person.email", value: EMAIL } },
      { filter: rows({ property: "Owner", people: { contains: EMAIL } }) },
      { filter: rows({ property: "Owner", email: { contains: EMAIL } }) },
      { facets: [{ database_id: database, property: "Owner" }] },
      { facets: [{ database_id: database, property: "Mail" }] },
      { sort: { timestamp: "person.email", direction: "ascending" } },
    ];
    for (const body of refused) {
      const answer = await app.call("POST /v2/search", { body, token });
      assertEquals(refusal(answer), [400, "validation_error"], JSON.stringify(body));
    }
  }));

/** The policy, with more fields that need a scope which the callers here lack. */
async function guarding(fields: readonly string[]) {
  const file = JSON.parse(await Deno.readTextFile("policy/scopes.json"));
  const rules = Object.fromEntries(fields.map((field) => [field, ["users.email.read"]]));
  return parsePolicy(JSON.stringify({ ...file, fields: { ...file.fields, ...rules } }));
}

Deno.test("a field that a token may not see can be neither filtered, sorted nor counted by", async () => {
  const guarded = [
    ["page.created_by", { filter: { property: "created_by", value: "me" } }],
    ["database.last_edited_by", { filter: { not: { property: "last_edited_by", value: "me" } } }],
    ["page.created_time", {
      filter: { or: [{ timestamp: "created_time", created_time: { past_week: {} } }] },
    }],
    ["page.created_time", { sort: { timestamp: "created_time", direction: "ascending" } }],
    ["page.last_edited_time", { sort: { timestamp: "last_edited_time", direction: "descending" } }],
    ["page.parent", { filter: { property: "ancestor", value: UNKNOWN } }],
  ] as const;
  for (const [field, body] of guarded) {
    await withApp(async (app) => {
      const token = await app.mint({ scope: WITHOUT_EMAIL });
      for (const asked of [{ ...body, total: true }, { also: [body] }]) {
        const answer = await app.call("POST /v2/search", { body: asked, token });
        assertEquals(refusal(answer), [400, "validation_error"], field);
        assert(answer.json.message.includes(`may not see \`${field}\``), answer.text);
      }
      await searched(app, body);
    }, { policy: await guarding([field]) });
  }
});

Deno.test("properties that a token may not see are neither filtered nor counted", async () => {
  await withApp(async (app) => {
    const { database } = await fill(app, await app.mint());
    const token = await app.mint({ scope: WITHOUT_EMAIL });
    const filter = { property: "State", select: { equals: "open" } };
    const bodies = [
      { filter: { database_id: database, filter } },
      { facets: [{ database_id: database, property: "State" }] },
    ];
    for (const body of bodies) {
      const answer = await app.call("POST /v2/search", { body, token });
      assertEquals(refusal(answer), [400, "validation_error"]);
      await searched(app, body);
    }
    const semantic = await app.call("POST /v2/search/semantic", {
      body: { query: "owl", filter: { database_id: database, filter } },
      token,
    });
    assertEquals(refusal(semantic), [400, "validation_error"]);
  }, { policy: await guarding(["page.properties"]) });
});

Deno.test("words are not searched in text that a token may not see", async () => {
  for (const field of ["page.properties", "database.title", "block.paragraph"]) {
    await withApp(async (app) => {
      const token = await app.mint({ scope: WITHOUT_EMAIL });
      const asked = [
        ["POST /v2/search", { query: "owl" }],
        ["POST /v2/search", { also: [{ query: "owl" }] }],
        ["POST /v2/search/semantic", { query: "owl" }],
      ] as const;
      for (const [route, body] of asked) {
        const answer = await app.call(route, { body, token });
        assertEquals(refusal(answer), [400, "validation_error"], field);
        assert(answer.json.message.includes(`may not see \`${field}\``), answer.text);
        await succeed(app, route, { body });
      }
      await searched(app, { query: "" }, { token });
    }, { policy: await guarding([field]) });
  }
});

Deno.test("a query neither filters nor sorts rows by what a token may not see", async () => {
  const state = { property: "State", select: { equals: "open" } };
  const edited = { timestamp: "last_edited_time", last_edited_time: { past_week: {} } };
  const guarded = [
    ["page.properties", { filter: state }],
    ["page.properties", { filter: { or: [edited, { and: [state] }] } }],
    ["page.properties", { sorts: [{ property: "State", direction: "ascending" }] }],
    ["page.last_edited_time", { filter: { and: [state, edited] } }],
    ["page.last_edited_time", {
      sorts: [{ timestamp: "last_edited_time", direction: "descending" }],
    }],
  ] as const;
  for (const [field, body] of guarded) {
    await withApp(async (app) => {
      const { database } = await fill(app, await app.mint());
      const route = `POST /v2/databases/${database}/query`;
      const token = await app.mint({ scope: WITHOUT_EMAIL });
      const answer = await app.call(route, { body, token });
      assertEquals(refusal(answer), [400, "validation_error"], field);
      assert(answer.json.message.includes(`may not see \`${field}\``), answer.text);
      await succeed(app, route, { body });
      await succeed(app, route, { body: {}, token });
    }, { policy: await guarding([field]) });
  }
});
