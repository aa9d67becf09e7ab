/**
 * Updates databases, also with a lock and a default template.
 *
 * @module
 */
import * as v from "valibot";
import { findNode } from "../../api/shared/nodes.ts";
import type { Services } from "../../api/shared/services.ts";
import { databaseUpdateInput } from "../../content/databases/input.ts";
import { idInput } from "../../content/values/ids.ts";
import type { Endpoint } from "../../http/endpoint.ts";

/** Changes to a data source, which only here can be told its default template. */
const dataSourceUpdateInput = v.strictObject({
  ...databaseUpdateInput.entries,
  default_template_id: v.exactOptional(v.nullable(idInput)),
});

/** Changes to a database, which is its data source as well until version 2022-06-28. */
const notionDatabaseUpdateInput = v.strictObject({
  ...dataSourceUpdateInput.entries,
  is_locked: v.exactOptional(v.boolean()),
});
type DatabaseUpdateInput = v.InferOutput<typeof notionDatabaseUpdateInput>;

/** Returns the endpoint that updates databases, for data sources. */
export function updatesDataSource(update: Endpoint<Services>): Endpoint<Services> {
  return {
    ...update,
    body: dataSourceUpdateInput,
    handle: async (call, services) => {
      // Sound because the schema of every caller of this function has its members.
      const { default_template_id: id } = call.body as DatabaseUpdateInput;
      if (typeof id === "string") {
        const pointer = "/default_template_id";
        await findNode(services, call.caller.workspace, { kind: "page", id, pointer });
      }
      return update.handle(call, services);
    },
  };
}

/** Returns the endpoint that updates databases, for databases. */
export function updatesDatabase(update: Endpoint<Services>): Endpoint<Services> {
  return { ...updatesDataSource(update), body: notionDatabaseUpdateInput };
}
