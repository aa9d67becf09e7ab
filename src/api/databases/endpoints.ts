/**
 * Databases: their properties, title, icon and cover. Their rows are pages.
 *
 * @module
 */
import * as v from "valibot";
import { newDatabaseSteps, relatedIds } from "../../content/databases/create.ts";
import { parseDatabaseDoc, type Related } from "../../content/schema/database.ts";
import { editDatabaseSteps } from "../../content/databases/edit.ts";
import {
  type DatabaseCreateInput,
  databaseCreateInput,
  type DatabaseUpdateInput,
  databaseUpdateInput,
} from "../../content/databases/input.ts";
import { database as databaseSchema, databaseJson } from "../../content/databases/json.ts";
import { idInput, normalizeId } from "../../content/values/ids.ts";
import type { Change, Edit, NodeView } from "../../content/schema/node.ts";
import { toParent } from "../../content/schema/parents.ts";
import { positionsIn } from "../../content/values/position.ts";
import { wantsTrash } from "../../content/values/trash.ts";
import type { Call, Tag } from "../../http/endpoint.ts";
import { createRest, withRests } from "../../shared/yield_to_event_loop.ts";
import { type Database, withPendingSchema } from "../shared/database_cache.ts";
import { editOf, planEdit, type Step, touch, trash, update } from "../shared/edits.ts";
import * as example from "../shared/examples.ts";
import { bodyEtag, findNode, readDocs, requireParent } from "../shared/nodes.ts";
import type { TaggedReply } from "../shared/page_reply_cache.ts";
import { define, type Services } from "../shared/services.ts";
import { write, type WriteDecision } from "../shared/write.ts";

export const DATABASES: Tag = {
  name: "Databases",
  description:
    "Create, read, update, delete and query databases. A database defines the properties of its rows, which are pages.",
};

const databaseParams = v.strictObject({
  database_id: v.pipe(idInput, v.description("ID of the database.")),
});

export const databaseEndpoints = [
  define({
    method: "GET",
    path: "/v2/databases/:database_id",
    operationId: "getDatabase",
    tag: DATABASES,
    summary: "Read a database",
    description:
      "Reads the title, icon, cover and properties of a database. To read its rows, query it.",
    params: databaseParams,
    response: databaseSchema,
    example: { response: example.database },
    handle: (call, services) => currentReply(call, services, call.params.database_id),
  }),
  define({
    method: "POST",
    path: "/v2/databases",
    operationId: "createDatabase",
    tag: DATABASES,
    summary: "Create a database",
    description:
      "Creates a database at the end of a page or at the top level of the workspace. For each dual relation, the related database gets a property, too.",
    body: databaseCreateInput,
    response: databaseSchema,
    example: {
      request: {
        parent: { page_id: example.PAGE },
        title: example.writtenText("Sightings"),
        properties: {
          Bird: { title: {} },
          Count: { number: { format: "number" } },
          State: { select: { options: [{ name: "open", color: "blue" }] } },
        },
      },
      response: example.database,
    },
    handle: (call, services) => write(call, services, decideCreate, { current: currentReply }),
  }),
  define({
    method: "PATCH",
    path: "/v2/databases/:database_id",
    operationId: "updateDatabase",
    tag: DATABASES,
    summary: "Update a database",
    description:
      "Updates the title, icon, cover and properties of a database, moves it to the trash or restores it. A change of properties also applies to the rows: if a property is removed, so are its values.",
    params: databaseParams,
    body: databaseUpdateInput,
    response: databaseSchema,
    example: {
      request: { title: example.writtenText("All sightings") },
      response: { ...example.database, title: [example.readText("All sightings")] },
    },
    handle: (call, services) => write(call, services, decideUpdate, { current: currentReply }),
  }),
  define({
    method: "DELETE",
    path: "/v2/databases/:database_id",
    operationId: "deleteDatabase",
    tag: DATABASES,
    summary: "Delete a database",
    description:
      "Moves the database to the trash with all its rows. Deleting it again changes nothing. To restore it, update it with `in_trash: false`.",
    params: databaseParams,
    response: databaseSchema,
    example: { response: { ...example.database, ...example.trashed } },
    handle: (call, services) => write(call, services, decideDelete),
  }),
];

/**
 * Returns the database with this ID. Throws `object_not_found`, or `validation_error` if it is not a
 * database. `pointer` is the JSON pointer to the ID in the body.
 */
export async function findDatabase(
  services: Services,
  workspace: string,
  id: string,
  pointer?: string,
): Promise<Database> {
  const database = await services.databases.find(workspace, normalizeId(id));
  if (database !== undefined) return database;
  // Throws what else it is. If the database was created only now, the second look-up finds it.
  await findNode(services, workspace, { kind: "database", id, pointer });
  return findDatabase(services, workspace, id, pointer);
}

/** Replies that are made once for each version of a database and its related ones. */
const replies = new WeakMap<Database, TaggedReply>();
const MAX_LENGTH = 65_536;

async function currentReply(
  { caller: { workspace } }: Pick<DatabaseCall, "caller">,
  services: Services,
  id: string,
): Promise<TaggedReply> {
  return storedReply(services, workspace, await findDatabase(services, workspace, id));
}

async function storedReply(
  services: Services,
  workspace: string,
  database: Database,
): Promise<TaggedReply> {
  const cached = replies.get(database);
  if (cached !== undefined) return cached;
  const reply = await databaseReply(services, workspace, database);
  // Mentioned objects can be renamed without a new version of the database.
  if (database.node.hasMentions || reply.body.length > MAX_LENGTH) return reply;
  const constant = { ...reply, constant: true };
  replies.set(database, constant);
  return constant;
}

async function databaseReply(
  services: Services,
  workspace: string,
  { node, related }: Pick<Database, "node" | "related">,
): Promise<TaggedReply> {
  const { publicUrl, pageUrl } = services;
  const [doc = node.doc] = await readDocs(services, workspace, [node]);
  const body = databaseJson(node, { publicUrl, pageUrl, doc, related });
  return { body, etag: bodyEtag(services, body) };
}

type DatabaseCall<Body = unknown> = Pick<
  Call<{ readonly database_id: string }, unknown, Body>,
  "params" | "body" | "caller" | "now" | "requireMatch"
>;

async function decideCreate(
  call: Pick<Call<unknown, unknown, DatabaseCreateInput>, "body" | "caller" | "now">,
  services: Services,
): Promise<WriteDecision> {
  const { body, caller: { workspace } } = call;
  const { store, databases, newId, newPropertyId } = services;
  const parent = toParent(body.parent);
  const [, gap, related] = await Promise.all([
    requireParent(services, workspace, parent),
    store.gap(workspace, parent.id, "end"),
    databases.loadRelated(workspace, relatedIds(body.properties)),
  ]);
  const [position = ""] = positionsIn(gap ?? { after: null, before: null }, 1);
  const edit = editOf(call);
  const steps = newDatabaseSteps(body, {
    id: newId(),
    parent,
    position,
    edit,
    related,
    newId,
    newPropertyId,
  });
  const created = await withRests(steps, createRest());
  const node: NodeView = { ...created.node, hasChildren: false };
  return {
    changes: [
      { op: "insert", node: created.node },
      ...created.changes,
      ...touch(created.node, edit),
    ],
    reply: await databaseReply(services, workspace, {
      ...withPendingSchema({ node, doc: created.doc }, changed(related, created.changes)),
      node,
    }),
    shows: node.id,
  };
}

/** Returns the database that a call names, after checking its preconditions. */
async function currentDatabase(call: DatabaseCall, services: Services): Promise<Database> {
  const { workspace } = call.caller;
  const database = await findDatabase(services, workspace, call.params.database_id);
  call.requireMatch((await databaseReply(services, workspace, database)).etag);
  return database;
}

async function decideUpdate(
  call: DatabaseCall<DatabaseUpdateInput>,
  services: Services,
): Promise<WriteDecision> {
  const { body, caller: { workspace } } = call;
  const { archived: _archived, in_trash: _inTrash, ...content } = body;
  const database = await currentDatabase(call, services);
  const edit = editOf(call);
  const change = Object.keys(content).length === 0
    ? undefined
    : await schemaChange(services, { workspace, database, body, edit });
  const step = await planEdit(services, {
    workspace,
    node: database.node,
    edit,
    inTrash: wantsTrash(body),
    change: change?.apply,
  });
  return decided(services, { workspace, step, related: change?.related ?? database.related });
}

interface SchemaChange {
  readonly workspace: string;
  readonly database: Database;
  readonly body: DatabaseUpdateInput;
  readonly edit: Edit;
}

interface PreparedChange {
  /** The databases that the schema is related to, before or after the change. */
  readonly related: Related;
  apply(node: NodeView): Promise<Step>;
}

/** Reads what an edit needs. */
async function schemaChange(
  { store, databases, newId, newPropertyId }: Services,
  { workspace, database, body, edit }: SchemaChange,
): Promise<PreparedChange> {
  const { doc } = database;
  const ids = relatedIds(body.properties ?? {}, doc.properties);
  const related = await databases.loadRelated(workspace, ids);
  const lastNumber = await store.lastNumber(workspace, database.node.id);
  return {
    related: new Map([...database.related, ...related]),
    async apply(node) {
      const options = { edit, related, lastNumber, newId, newPropertyId };
      const steps = editDatabaseSteps({ node, doc }, body, options);
      const { content, changes } = await withRests(steps, createRest());
      const step = update(node, content, edit);
      return { node: step.node, changes: [...step.changes, ...changes] };
    },
  };
}

async function decideDelete(call: DatabaseCall, services: Services): Promise<WriteDecision> {
  const database = await currentDatabase(call, services);
  const step = trash(database.node, editOf(call));
  const { related } = database;
  return decided(services, { workspace: call.caller.workspace, step, related });
}

interface Outcome {
  readonly workspace: string;
  readonly step: Step;
  /** The related databases before the changes of the step. */
  readonly related: Related;
}

async function decided(
  services: Services,
  { workspace, step: { changes, node }, related }: Outcome,
): Promise<WriteDecision> {
  const checked = { node, doc: parseDatabaseDoc(node.doc) };
  return {
    changes,
    reply: await databaseReply(services, workspace, {
      ...withPendingSchema(checked, changed(related, changes)),
      node,
    }),
    shows: node.id,
  };
}

/** Returns related databases as they will be after the changes. */
function changed(related: Related, changes: readonly Change[]): Related {
  const docs = changes.flatMap((change) =>
    change.op === "update" ? [[change.id, change.doc] as const] : []
  );
  const updated = docs.flatMap(([id, doc]) => {
    const checked = related.get(id);
    return checked === undefined ? [] : [[id, { ...checked, doc: parseDatabaseDoc(doc) }] as const];
  });
  return new Map([...related, ...updated]);
}
