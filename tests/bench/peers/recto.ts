/**
 * Recto among its peers: one process, its rows loaded through its API.
 *
 * @module
 */
import { ALL_SCOPES } from "../../support/app.ts";
import { baseUrl, mint, startRecto } from "../processes.ts";
import { DatabaseClient, loadRows, pageOf, rowOf } from "../rows.ts";
import type { Peer } from "./peer.ts";

export async function startRectoPeer(rows: number): Promise<Peer> {
  const recto = await startRecto();
  const origin = baseUrl(recto.port);
  const authorization = `Bearer ${await mint(recto.dataDir, ALL_SCOPES)}`;
  const client = new DatabaseClient(origin, authorization);
  const database = await loadRows(client, rows);
  const row = await client.call("POST", "/v2/pages", pageOf(database, rowOf(rows)));
  const page = await newPage(client);
  const { id: block } = await appendParagraph(client, page);
  const query = `/v2/databases/${database}/query`;
  return {
    name: "Recto",
    origin,
    headers: { authorization, "content-type": "application/json" },
    requests: {
      "page, authorized": { method: "GET", path: `/v2/pages/${page}` },
      "row of a database": { method: "GET", path: `/v2/pages/${row.id}` },
      "one block": { method: "GET", path: `/v2/blocks/${block}` },
      "children, one block": { method: "GET", path: `/v2/blocks/${page}/children` },
      "user": { method: "GET", path: "/v2/users/me" },
      "database": { method: "GET", path: `/v2/databases/${database}` },
      "Markdown of a small page": { method: "GET", path: `/v2/pages/${page}/content/markdown` },
      "query: filter, sort, 25 rows": {
        method: "POST",
        path: query,
        body: {
          filter: { property: "Kind", select: { equals: "A" } },
          sorts: [{ property: "Number", direction: "descending" }],
          page_size: 25,
        },
      },
      "query: first 25 rows": { method: "POST", path: query, body: { page_size: 25 } },
      "search, two words": {
        method: "POST",
        path: "/v2/search",
        body: { query: "task 42", page_size: 25 },
      },
      "insert a row": { method: "POST", path: "/v2/pages", body: pageOf(database, rowOf(1)) },
    },
    [Symbol.asyncDispose]: () => recto[Symbol.asyncDispose](),
  };
}

async function newPage(client: DatabaseClient): Promise<string> {
  const { id } = await client.call("POST", "/v2/pages", {
    parent: { workspace: true },
    properties: { title: [{ text: { content: "A page to read" } }] },
  });
  return `${id}`;
}

async function appendParagraph(client: DatabaseClient, page: string): Promise<{ id: string }> {
  const { results } = await client.call("PATCH", `/v2/blocks/${page}/children`, {
    children: [{ type: "paragraph", paragraph: { rich_text: [{ text: { content: "Text" } }] } }],
  });
  // Sound because the API returns the blocks that it appended.
  const [first] = results as { id: string }[];
  if (first === undefined) throw new Error("Nothing was appended");
  return first;
}
