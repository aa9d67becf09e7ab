/**
 * The tables that a copy from one database to another includes. Data that a database derives from
 * them is not copied.
 *
 * @module
 */

/**
 * The values of a column: `state` is a trash root, null outside the trash; `flag` is 0 or 1;
 * `bytes` are upper-case hexadecimal.
 */
export type ColumnKind = "text" | "integer" | "number" | "flag" | "state" | "bytes";

export interface Table {
  readonly name: string;
  /** The columns that identify and order rows. */
  readonly key: readonly string[];
  /** All columns, those of the key first. */
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** True if every service fills it on its first start, so that its rows are not content. */
  readonly ofAStart: boolean;
}

export const TABLES: readonly Table[] = [
  table("users", ["workspace_id", "id"], {
    type: "text",
    name: "text",
    email: "text",
    avatar_url: "text",
    pseudonym: "text",
    erased_time: "integer",
    checksum: "integer",
  }),
  table("nodes", ["workspace_id", "id"], {
    kind: "text",
    type: "text",
    parent_kind: "text",
    parent_id: "text",
    container_id: "text",
    position: "text",
    title: "text",
    doc: "text",
    has_mentions: "flag",
    version: "integer",
    created_time: "integer",
    created_by: "text",
    edited_time: "integer",
    edited_by: "text",
    trash_root: "state",
    checksum: "integer",
  }),
  table("cells", ["workspace_id", "node_id", "property_id", "ordinal"], {
    ordinal: "integer",
    database_id: "text",
    number: "number",
    key: "text",
    text: "text",
  }),
  table("links", ["workspace_id", "relation_id", "from_id", "to_id"], { ordinal: "integer" }),
  table("link_counts", ["workspace_id", "relation_id", "side", "count", "row_id"], {
    count: "integer",
  }),
  table("counters", ["workspace_id", "database_id"], { last_number: "integer" }),
  table("uploads", ["workspace_id", "id"], {
    status: "text",
    parts: "integer",
    filename: "text",
    content_type: "text",
    content_length: "integer",
    blob: "text",
    hash: "text",
    created_time: "integer",
    created_by: "text",
    expires_time: "integer",
    life: "integer",
    source_url: "text",
    failure: "text",
    checksum: "integer",
  }),
  table("comments", ["workspace_id", "id"], {
    discussion_id: "text",
    node_id: "text",
    page_id: "text",
    doc: "text",
    has_mentions: "flag",
    version: "integer",
    created_time: "integer",
    created_by: "text",
    edited_time: "integer",
    edited_by: "text",
    checksum: "integer",
  }),
  table("upload_uses", ["workspace_id", "node_id", "upload_id"], {}),
  table("purges", ["workspace_id", "node_id"], {}),
  table("leftovers", ["workspace_id", "upload_id", "blob"], {}),
  table("receipts", ["workspace_id", "key"], {
    fingerprint: "text",
    status: "integer",
    etag: "text",
    body: "text",
    checksum: "integer",
    created_time: "integer",
    expires_time: "integer",
  }),
  table("api_keys", ["workspace_id", "id"], {
    name: "text",
    scopes: "text",
    created_time: "integer",
    expires_time: "integer",
    revoked_time: "integer",
    used_time: "integer",
  }),
  table("api_key_secrets", ["workspace_id", "hash"], {
    key_workspace: "text",
    key_id: "text",
    expires_time: "integer",
  }),
  table("api_key_revision", ["workspace_id"], { revision: "integer" }),
  { ...table("secrets", ["workspace_id", "name"], { value: "bytes" }), ofAStart: true },
];

function table(
  name: string,
  key: readonly string[],
  columns: Readonly<Record<string, ColumnKind>>,
): Table {
  const kinds = key.map((column) => [column, "text"] as const);
  return { name, key, columns: { ...Object.fromEntries(kinds), ...columns }, ofAStart: false };
}
