/** A page, its blocks and a database by openapi-typescript and openapi-fetch. */
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

type Schemas = components["schemas"];

const { baseUrl, token } = JSON.parse(process.argv[2] ?? "{}");
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

function got<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const title = [{ text: { content: "Notes" } }];
const page = got(await client.POST("/v2/pages", {
  body: { parent: { workspace: true }, properties: { title }, icon: { emoji: "🌿" } },
}));

const children: Schemas["BlockInput"][] = [
  { heading_2: { rich_text: title } },
  { toggle: { rich_text: title, children: [{ toggle: { rich_text: title, children: [{ divider: {} }] } }] } },
  { type: "to_do", to_do: { rich_text: title, checked: true } },
];
const path = { block_id: page.id };
got(await client.PATCH("/v2/blocks/{block_id}/children", { params: { path }, body: { children } }));
const list = got(await client.GET("/v2/blocks/{block_id}/children", { params: { path } }));

function textOf(block: Schemas["Block"]): string {
  // @ts-expect-error -- a block has a heading only where it is one
  block.heading_2;
  if (block.type === "heading_2") return block.heading_2.rich_text.map((item) => item.plain_text).join("");
  if (block.type === "to_do") return String(block.to_do.checked);
  return block.type;
}

const database = got(await client.POST("/v2/databases", {
  body: { parent: { page_id: page.id }, properties: { Name: { title: {} }, Count: { number: {} } } },
}));
got(await client.POST("/v2/pages", {
  body: {
    parent: { database_id: database.id },
    properties: { Name: { title }, Count: { number: 3 } },
  },
}));
const filter: Schemas["Filter"] = {
  and: [
    { property: "Count", number: { greater_than: 2 } },
    { or: [{ property: "Name", title: { contains: "Note" } }] },
  ],
};
// @ts-expect-error -- a number is not asked as a text is
const wrongFilter: Schemas["Filter"] = { property: "Count", number: { starts_with: "a" } };
// @ts-expect-error -- there is no such block
const wrongBlock: Schemas["BlockInput"] = { paragraf: { rich_text: title } };
// @ts-expect-error -- three levels down a divider has no text
const wrongLeaf: Schemas["BlockInput"] = { toggle: { rich_text: title, children: [{ toggle: { rich_text: title, children: [{ divider: { rich_text: 1 } }] } }] } };
// @ts-expect-error -- there may be no icon
page.icon.type;
const rows = got(await client.POST("/v2/databases/{database_id}/query", {
  params: { path: { database_id: database.id } },
  body: { filter },
}));
const [row] = rows.results;
const count = row?.properties["Count"];
console.log(JSON.stringify({
  blocks: list.results.map(textOf),
  count: count?.type === "number" ? count.number : undefined,
  unused: [wrongFilter, wrongBlock, wrongLeaf].length,
}));
