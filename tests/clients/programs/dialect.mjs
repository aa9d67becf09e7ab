// One of the vendor's SDKs, and the few calls that its versions spell differently.
import { setting, token } from "./lib.mjs";

const ARCHIVED = "2026-03-11";

/** `sdk` is `0` to `5`; `notionVersion` is the SDK's own without it. */
export async function openSdk(sdk, notionVersion) {
  const { default: loaded, ...named } = await import(`sdk-${sdk}`);
  const library = { ...loaded, ...named };
  const client = new library.Client({
    auth: token,
    baseUrl: setting.baseUrl,
    logger: () => {},
    timeoutMs: 60_000,
    ...(notionVersion && { notionVersion }),
  });
  const version = notionVersion ?? {
    0: "2021-08-16",
    1: "2022-02-22",
    2: "2022-06-28",
    3: "2022-06-28",
    4: "2022-06-28",
    5: "2025-09-03",
  }[sdk];
  const name = `@notionhq/client ${
    { 0: "0.4.13", 1: "1.0.4", 2: "2.2.15", 3: "3.1.3", 4: "4.0.2", 5: "5.26.0" }[sdk]
  }${notionVersion ? ` with ${notionVersion}` : ""}`;
  return { client, library, version, name, ...calls(client, version) };
}

function calls(client, version) {
  const hasSources = version >= "2025-09-03";
  const trash = hasSources ? { in_trash: true } : { archived: true };
  const restore = hasSources ? { in_trash: false } : { archived: false };
  return {
    hasSources,
    trash,
    restore,
    append: (block_id, children, after) =>
      client.blocks.children.append({
        block_id,
        children,
        ...(after && (version >= ARCHIVED
          ? { position: { type: "after_block", after_block: { id: after } } }
          : { after })),
      }),
    /** Creates a database; returns its id, the id that queries take, and its answer. */
    createDatabase: async (parent, name, properties, more = {}) => {
      const rest = { parent, title: [{ type: "text", text: { content: name } }], ...more };
      const answer = await client.databases.create(
        hasSources ? { ...rest, initial_data_source: { properties } } : { ...rest, properties },
      );
      return { answer, id: answer.id, source: hasSources ? answer.data_sources[0].id : answer.id };
    },
    /** The id that queries take, of a database known by its own. */
    sourceOf: async (database_id) =>
      hasSources
        ? (await client.databases.retrieve({ database_id })).data_sources[0].id
        : database_id,
    schemaOf: (id) =>
      hasSources
        ? client.dataSources.retrieve({ data_source_id: id })
        : client.databases.retrieve({ database_id: id }),
    updateSchema: (id, body) =>
      hasSources
        ? client.dataSources.update({ data_source_id: id, ...body })
        : client.databases.update({ database_id: id, ...body }),
    query: (id, body) =>
      hasSources
        ? client.dataSources.query({ data_source_id: id, ...body })
        : client.databases.query({ database_id: id, ...body }),
    rowParent: (id) =>
      hasSources ? { type: "data_source_id", data_source_id: id } : { database_id: id },
    relationTo: (id) => hasSources ? { data_source_id: id } : { database_id: id },
    searchesFor: hasSources ? "data_source" : "database",
  };
}

/** Collects all results of a paged call. */
export async function collect(call) {
  const results = [];
  for (let start_cursor;;) {
    const page = await call(start_cursor ? { start_cursor } : {});
    results.push(...page.results);
    if (!page.has_more) return results;
    start_cursor = page.next_cursor;
  }
}

/** All blocks below one, each with its `children`. */
export async function walk(client, block_id) {
  const blocks = await collect((cursor) => client.blocks.children.list({ block_id, ...cursor }));
  const isOpen = ({ type, has_children }) =>
    has_children && type !== "child_page" && type !== "child_database";
  return Promise.all(blocks.map(async (block) => ({
    ...block,
    children: isOpen(block) ? await walk(client, block.id) : [],
  })));
}
