/**
 * The reply to a write shows what a read answers after it, with the same ETag.
 *
 * @module
 */
import { assertEquals } from "../assert.ts";
import { type Answer, type TestApp, withApp } from "../support/app.ts";
import { newDatabase } from "./database_driver.ts";
import { text } from "./driver.ts";

/** Writes, compares the reply with a read of the object, and returns it. */
async function written(app: TestApp, route: string, body: object): Promise<Answer["json"]> {
  const answer = await app.call(route, { body });
  assertEquals(answer.status, 200, `${route}: ${answer.text}`);
  const { object, id } = answer.json;
  const read = await app.call(`GET /v2/${object}s/${id}`);
  assertEquals(answer.json, read.json, `${route} ${JSON.stringify(body)}`);
  assertEquals(answer.headers.get("etag"), read.headers.get("etag"));
  return answer.json;
}

Deno.test("a database that is related to another one for the first time is answered as it is read", () =>
  withApp(async (app) => {
    const other = await newDatabase(app, { Count: { number: {} } });
    const { id } = await newDatabase(app);
    const { properties } = await written(app, `PATCH /v2/databases/${id}`, {
      properties: {
        Other: { relation: { database_id: other.id, dual_property: {} } },
        Sum: {
          rollup: {
            relation_property_name: "Other",
            rollup_property_name: "Count",
            function: "sum",
          },
        },
      },
    });
    assertEquals(
      properties.Other.relation.dual_property.synced_property_name,
      "Related to Things (Other)",
    );
    assertEquals(properties.Sum.rollup.rollup_property_name, "Count");
    const own = { relation: { database_id: id, dual_property: {} } };
    await written(app, `PATCH /v2/databases/${id}`, { title: text("x"), properties: { Own: own } });
    await written(app, `PATCH /v2/databases/${id}`, { properties: { Other: null, Own: null } });
  }));
