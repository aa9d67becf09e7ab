/**
 * A call of each operation, as the document shows it: a page of field notes, and a database in it.
 *
 * @module
 */

type Json = Readonly<Record<string, unknown>>;

const ORIGIN = "https://recto.example";
const USER = "79cad1f5-75e6-8ce2-96b5-3ded3f6efa9f";
const PAGE = "01a1fdba-c61f-7aa1-8173-f2e539366944";
const DATABASE = "01a1fdba-c623-7661-8213-b287ab3ee822";
const ROW = "01a1fdba-c634-73c9-ab16-0642dde8f0c0";
const HEADING = "01a1fdba-c644-7719-a091-c645d40a6dee";
const TO_DO = "01a1fdba-c644-7e83-ae34-b2dd0a47bd67";
const OPTION = "01a1fdba-c623-7dbe-9dfe-6cfb27604bc7";
const UPLOAD = "01a1fdba-c651-7a7c-9b0a-5d1f6f6f6c11";
const REQUEST = "1c914ce9-2a3e-499a-9509-3ce8eda4c2bf";

const me = { object: "user", id: USER };
const history = {
  created_time: "2026-11-21T10:50:38.489Z",
  last_edited_time: "2026-11-21T10:50:38.531Z",
  created_by: me,
  last_edited_by: me,
};
const alive = { archived: false, in_trash: false };
const trashed = { archived: true, in_trash: true };

function written(content: string): readonly Json[] {
  return [{ text: { content } }];
}

function read(content: string): Json {
  const plain = { bold: false, italic: false, strikethrough: false, underline: false, code: false };
  return {
    type: "text",
    text: { content, link: null },
    annotations: { ...plain, color: "default" },
    plain_text: content,
    href: null,
  };
}

const page = {
  object: "page",
  id: PAGE,
  ...history,
  cover: null,
  icon: { type: "emoji", emoji: "🌿" },
  parent: { type: "workspace", workspace: true },
  ...alive,
  properties: { title: { id: "title", type: "title", title: [read("Field notes")] } },
  url: `${ORIGIN}/v2/pages/${PAGE}`,
  public_url: null,
};

const row = {
  ...page,
  id: ROW,
  icon: null,
  parent: { type: "database_id", database_id: DATABASE },
  properties: {
    Bird: { id: "title", type: "title", title: [read("Kingfisher")] },
    Count: { id: "Byn2QnHM", type: "number", number: 3 },
    State: { id: "iHcFxUGn", type: "select", select: { id: OPTION, name: "open", color: "blue" } },
  },
  url: `${ORIGIN}/v2/pages/${ROW}`,
};

const option = { id: OPTION, name: "open", color: "blue", description: null };
const database = {
  object: "database",
  id: DATABASE,
  ...history,
  title: [read("Sightings")],
  description: [],
  icon: null,
  cover: null,
  properties: {
    Bird: { id: "title", name: "Bird", description: null, type: "title", title: {} },
    Count: {
      ...{ id: "Byn2QnHM", name: "Count", description: null },
      ...{ type: "number", number: { format: "number" } },
    },
    State: {
      ...{ id: "iHcFxUGn", name: "State", description: null },
      ...{ type: "select", select: { options: [option] } },
    },
  },
  parent: { type: "page_id", page_id: PAGE },
  url: `${ORIGIN}/v2/databases/${DATABASE}`,
  public_url: null,
  is_inline: false,
  ...alive,
};

function block(id: string, type: string, value: Json): Json {
  const parent = { type: "page_id", page_id: PAGE };
  const state = { ...history, has_children: false, ...alive };
  return { object: "block", id, parent, ...state, type, [type]: value };
}

const heading = block(HEADING, "heading_2", {
  rich_text: [read("By the river")],
  color: "default",
  is_toggleable: false,
});

function toDo(checked: boolean): Json {
  const look = { rich_text: [read("Count the nests")], color: "default" };
  return block(TO_DO, "to_do", { ...look, checked });
}

function list(type: string, results: readonly Json[]): Json {
  const envelope = { next_cursor: null, has_more: false, type, [type]: {} };
  return { object: "list", results, ...envelope, request_id: REQUEST };
}

/** What each operation is sent and answers, by its `operationId`. */
export const examples: Readonly<
  Record<string, { readonly request?: Json; readonly response: Json }>
> = {
  getUser: {
    response: {
      ...me,
      type: "person",
      name: "Ada Lind",
      avatar_url: null,
      person: { email: "ada@recto.example" },
    },
  },
  createPage: {
    request: {
      parent: { workspace: true },
      properties: { title: written("Field notes") },
      icon: { emoji: "🌿" },
    },
    response: page,
  },
  getPage: { response: page },
  updatePage: { request: { icon: null }, response: { ...page, icon: null } },
  deletePage: { response: { ...page, ...trashed } },
  getPageProperty: {
    response: { object: "property_item", id: "Byn2QnHM", type: "number", number: 3 },
  },
  appendBlockChildren: {
    request: {
      children: [
        { heading_2: { rich_text: written("By the river") } },
        { to_do: { rich_text: written("Count the nests") } },
      ],
    },
    response: list("block", [heading, toDo(false)]),
  },
  getBlock: { response: heading },
  listBlockChildren: { response: list("block", [heading, toDo(false)]) },
  updateBlock: { request: { to_do: { checked: true } }, response: toDo(true) },
  deleteBlock: { response: { ...toDo(true), ...trashed } },
  createDatabase: {
    request: {
      parent: { page_id: PAGE },
      title: written("Sightings"),
      properties: {
        Bird: { title: {} },
        Count: { number: { format: "number" } },
        State: { select: { options: [{ name: "open", color: "blue" }] } },
      },
    },
    response: database,
  },
  getDatabase: { response: database },
  updateDatabase: {
    request: { title: written("All sightings") },
    response: { ...database, title: [read("All sightings")] },
  },
  deleteDatabase: { response: { ...database, ...trashed } },
  queryDatabase: {
    request: {
      filter: {
        and: [
          { property: "Count", number: { greater_than: 2 } },
          { property: "State", select: { equals: "open" } },
        ],
      },
      sorts: [{ property: "Bird", direction: "ascending" }],
      page_size: 50,
    },
    response: list("page_or_database", [row]),
  },
  search: {
    request: {
      query: "count nest",
      filter: { property: "object", value: "page" },
      page_size: 20,
    },
    response: list("page_or_database", [{
      ...page,
      match: {
        block_id: TO_DO,
        text: "Count the nests",
        highlights: [{ start: 0, end: 5 }, { start: 10, end: 15 }],
      },
    }]),
  },
  searchByMeaning: {
    request: { query: "Where do swallows breed?", mode: "hybrid", page_size: 20 },
    response: {
      ...list("page_or_database", [{
        ...page,
        match: { score: 1.25, block_id: TO_DO, text: "Count the nests" },
      }]),
      search: { ranked_by: "hybrid", due: 0 },
    },
  },
  createUploadUrl: {
    request: { filename: "kingfisher.jpg", content_type: "image/jpeg", content_length: 48_213 },
    response: {
      object: "file_upload",
      id: UPLOAD,
      created_time: history.created_time,
      last_edited_time: history.created_time,
      created_by: { id: USER, type: "person" },
      archived: false,
      expiry_time: "2026-11-21T11:50:38.489Z",
      status: "pending",
      filename: "kingfisher.jpg",
      content_type: "image/jpeg",
      content_length: 48_213,
      upload_url:
        `${ORIGIN}/files/upload/ZGVmYXVsdA/${UPLOAD}?expires=1795261838&signature=EXAMPLE`,
      upload_method: "PUT",
      upload_headers: { "content-type": "image/jpeg" },
    },
  },
  getOpenapiDocument: {
    response: { openapi: "3.1.1", info: { title: "Recto", version: "2.0.0" }, paths: {} },
  },
  getOpenapiMeta: {
    response: {
      etag: "521ce1b6b2259eb7c368e10d440fb7fb15849570191b1e0d987d481904c8a690",
      generatedAt: "2026-11-21T10:26:00.888Z",
      pathCount: 15,
      schemaCount: 452,
    },
  },
};
