/**
 * The workspace that the examples of the OpenAPI document show: a page of field notes, with two blocks
 * and a database of sightings in it.
 *
 * @module
 */
import type { Json } from "../../http/endpoint.ts";

export const ORIGIN = "https://recto.example";
export const USER = "79cad1f5-75e6-8ce2-96b5-3ded3f6efa9f";
export const PAGE = "01a1fdba-c61f-7aa1-8173-f2e539366944";
const DATABASE = "01a1fdba-c623-7661-8213-b287ab3ee822";
const ROW = "01a1fdba-c634-73c9-ab16-0642dde8f0c0";
const HEADING = "01a1fdba-c644-7719-a091-c645d40a6dee";
export const TO_DO = "01a1fdba-c644-7e83-ae34-b2dd0a47bd67";
const OPTION = "01a1fdba-c623-7dbe-9dfe-6cfb27604bc7";
export const REQUEST = "1c914ce9-2a3e-499a-9509-3ce8eda4c2bf";

/** The caller. */
export const user = { object: "user", id: USER };
export const history = {
  created_time: "2026-11-21T10:50:38.489Z",
  last_edited_time: "2026-11-21T10:50:38.531Z",
  created_by: user,
  last_edited_by: user,
};
const alive = { archived: false, in_trash: false };
export const trashed = { archived: true, in_trash: true };

/** Rich text as a client writes it. */
export function writtenText(content: string): readonly Json[] {
  return [{ text: { content } }];
}

/** An item of rich text as it is answered. */
export function readText(content: string): Json {
  const plain = { bold: false, italic: false, strikethrough: false, underline: false, code: false };
  return {
    type: "text",
    text: { content, link: null },
    annotations: { ...plain, color: "default" },
    plain_text: content,
    href: null,
  };
}

export const page = {
  object: "page",
  id: PAGE,
  ...history,
  cover: null,
  icon: { type: "emoji", emoji: "🌿" },
  parent: { type: "workspace", workspace: true },
  ...alive,
  properties: { title: { id: "title", type: "title", title: [readText("Field notes")] } },
  url: `${ORIGIN}/v2/pages/${PAGE}`,
  public_url: null,
};

export const row = {
  ...page,
  id: ROW,
  icon: null,
  parent: { type: "database_id", database_id: DATABASE },
  properties: {
    Bird: { id: "title", type: "title", title: [readText("Kingfisher")] },
    Count: { id: "Byn2QnHM", type: "number", number: 3 },
    State: { id: "iHcFxUGn", type: "select", select: { id: OPTION, name: "open", color: "blue" } },
  },
  url: `${ORIGIN}/v2/pages/${ROW}`,
};

const option = { id: OPTION, name: "open", color: "blue", description: null };
export const database = {
  object: "database",
  id: DATABASE,
  ...history,
  title: [readText("Sightings")],
  description: [],
  icon: null,
  cover: null,
  properties: {
    Bird: { id: "title", name: "Bird", description: null, type: "title", title: {} },
    Count: {
      id: "Byn2QnHM",
      name: "Count",
      description: null,
      type: "number",
      number: { format: "number" },
    },
    State: {
      id: "iHcFxUGn",
      name: "State",
      description: null,
      type: "select",
      select: { options: [option] },
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

export const heading = block(HEADING, "heading_2", {
  rich_text: [readText("By the river")],
  color: "default",
  is_toggleable: false,
});

export function toDo(checked: boolean): Json {
  const look = { rich_text: [readText("Count the nests")], color: "default" };
  return block(TO_DO, "to_do", { ...look, checked });
}

/** A list of one page. */
export function list(type: string, results: readonly Json[]): Json {
  const envelope = { next_cursor: null, has_more: false, type, [type]: {} };
  return { object: "list", results, ...envelope, request_id: REQUEST };
}
