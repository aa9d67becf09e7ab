/**
 * Templates of data sources: the default one, and the list.
 *
 * @module
 */
import { assertEquals, assertMatch } from "../assert.ts";
import { type AnyJson, type NotionApp, withNotion } from "./driver.ts";

const VERSION = "2025-09-03";
const MISSING = "00000000-0000-4000-8000-000000000000";

interface Birds {
  readonly source: string;
  readonly template: string;
  readonly call: (route: string, body?: unknown) => Promise<AnyJson>;
  readonly refused: (route: string, body?: unknown) => Promise<AnyJson>;
}

/** Runs a test on a data source and a row of it, with a paragraph, that may become its template. */
function withBirds(test: (birds: Birds, app: NotionApp) => Promise<void>): Promise<void> {
  return withNotion(async (app) => {
    const call = (route: string, body?: unknown) => app.notion(route, body, VERSION);
    const { data_sources: [{ id: source }] } = await call("POST /databases", {
      parent: { workspace: true },
      initial_data_source: { properties: { Name: { title: {} }, Count: { number: {} } } },
    });
    const { id: template } = await call("POST /pages", {
      parent: { data_source_id: source },
      properties: { Name: { title: [{ text: { content: "Usual bird" } }] }, Count: { number: 3 } },
      children: [{ paragraph: { rich_text: [{ text: { content: "seen" } }] } }],
    });
    const refused = (route: string, body?: unknown) => app.refused(route, body, VERSION);
    await test({ source, template, call, refused }, app);
  });
}

Deno.test("a data source has no templates; one that does not exist is not found", () =>
  withBirds(async ({ source, call, refused }, app) => {
    const list = await call(`GET /data_sources/${source}/templates?name=a`);
    assertEquals([list.templates, list.has_more, list.next_cursor], [[], false, null]);
    const unknown = await refused(`GET /data_sources/${crypto.randomUUID()}/templates`);
    assertEquals(unknown.code, "object_not_found");
    const before = await app.refused(`GET /data_sources/${source}/templates`);
    assertEquals(before.code, "invalid_request_url");
  }));

Deno.test("new rows take over the default template that their data source was given", () =>
  withBirds(async ({ source, template, call }) => {
    const edited = await call(`PATCH /data_sources/${source}`, { default_template_id: template });
    assertEquals(edited, await call(`GET /data_sources/${source}`));
    const list = (name: string) => call(`GET /data_sources/${source}/templates?name=${name}`);
    const listed = { id: template, name: "Usual bird", is_default: true };
    assertEquals((await list("BIRD")).templates, [listed]);
    assertEquals((await list("fish")).templates, []);
    const row = await call("POST /pages", {
      parent: { data_source_id: source },
      template: { type: "default", timezone: "Europe/Rome" },
    });
    assertEquals(row.properties.Count.number, 3);
    const { results } = await call(`GET /blocks/${row.id}/children`);
    assertEquals(results[0].paragraph.rich_text[0].plain_text, "seen");
    const bare = await call("POST /pages", { parent: { data_source_id: source }, properties: {} });
    await call(`PATCH /pages/${bare.id}`, { template: { type: "default" } });
    assertEquals((await call(`GET /blocks/${bare.id}/children`)).results.length, 1);
  }));

Deno.test("without a default template outside the trash, the default one is refused", () =>
  withBirds(async ({ source, template, call, refused }) => {
    const create = { parent: { data_source_id: source }, template: { type: "default" } };
    const ask = async () => (await refused("POST /pages", create)).message;
    const sentence = /There is no default template here/;
    assertMatch(await ask(), sentence);
    await call(`PATCH /data_sources/${source}`, { default_template_id: template });
    await call(`PATCH /pages/${template}`, { in_trash: true });
    assertMatch(await ask(), sentence);
    assertEquals((await call(`GET /data_sources/${source}/templates`)).templates, []);
    await call(`PATCH /pages/${template}`, { in_trash: false });
    await call("POST /pages", create);
    await call(`PATCH /data_sources/${source}`, { default_template_id: null });
    assertMatch(await ask(), sentence);
    const home = await call("POST /pages", { parent: { workspace: true }, properties: {} });
    const onPage = await refused(`PATCH /pages/${home.id}`, { template: { type: "default" } });
    assertMatch(onPage.message, sentence);
  }));

Deno.test("a default template must be a page, and stays through other edits", () =>
  withBirds(async ({ source, template, call, refused }) => {
    const give = (id: string) => ({ default_template_id: id });
    const unknown = await refused(`PATCH /data_sources/${source}`, give(MISSING));
    assertEquals(unknown.code, "object_not_found");
    const nothing = await refused(`PATCH /data_sources/${source}`, give("x"));
    assertEquals(nothing.code, "validation_error");
    await call(`PATCH /data_sources/${source}`, give(template.replaceAll("-", "")));
    await call(`PATCH /data_sources/${source}`, { properties: { Seen: { checkbox: {} } } });
    const { templates } = await call(`GET /data_sources/${source}/templates`);
    assertEquals(templates.map(({ id }: AnyJson) => id), [template]);
  }));
