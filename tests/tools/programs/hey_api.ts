/** A page, its blocks and a database by `@hey-api/openapi-ts` and its fetch client. */
import {
  appendBlockChildren,
  type Block,
  type BlockInput,
  createDatabase,
  createPage,
  type Filter,
  listBlockChildren,
  queryDatabase,
} from "./index.ts";
import { client } from "./client.gen.ts";

const { baseUrl, token } = JSON.parse(process.argv[2] ?? "{}");
client.setConfig({ baseUrl, headers: { authorization: `Bearer ${token}` } });

const title = [{ text: { content: "Notes" } }];
const { data: page } = await createPage({
  body: { parent: { workspace: true }, properties: { title }, icon: { emoji: "🌿" } },
  throwOnError: true,
});

const children: BlockInput[] = [
  { heading_2: { rich_text: title } },
  { toggle: { rich_text: title, children: [{ toggle: { rich_text: title, children: [{ divider: {} }] } }] } },
  { type: "to_do", to_do: { rich_text: title, checked: true } },
];
const path = { block_id: page.id };
await appendBlockChildren({ path, body: { children }, throwOnError: true });
const { data: list } = await listBlockChildren({ path, throwOnError: true });

function textOf(block: Block): string {
  // @ts-expect-error -- a block has a heading only where it is one
  block.heading_2;
  if (block.type === "heading_2") return block.heading_2.rich_text.map((item) => item.plain_text).join("");
  if (block.type === "to_do") return String(block.to_do.checked);
  return block.type;
}

const { data: database } = await createDatabase({
  body: { parent: { page_id: page.id }, properties: { Name: { title: {} }, Count: { number: {} } } },
  throwOnError: true,
});
await createPage({
  body: {
    parent: { database_id: database.id },
    properties: { Name: { title }, Count: { number: 3 } },
  },
  throwOnError: true,
});
const filter: Filter = {
  and: [
    { property: "Count", number: { greater_than: 2 } },
    { or: [{ property: "Name", title: { contains: "Note" } }] },
  ],
};
// @ts-expect-error -- a number is not asked as a text is
const wrongFilter: Filter = { property: "Count", number: { starts_with: "a" } };
// @ts-expect-error -- there is no such block
const wrongBlock: BlockInput = { paragraf: { rich_text: title } };
// @ts-expect-error -- there may be no icon
page.icon.type;
const { data: rows } = await queryDatabase({
  path: { database_id: database.id },
  body: { filter },
  throwOnError: true,
});
const [row] = rows.results;
const count = row?.properties["Count"];
console.log(JSON.stringify({
  blocks: list.results.map(textOf),
  count: count?.type === "number" ? count.number : undefined,
  unused: [wrongFilter, wrongBlock].length,
}));
