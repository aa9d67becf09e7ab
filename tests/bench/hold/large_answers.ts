/**
 * Reads that reply with megabytes.
 *
 * @module
 */
import type { Deed } from "./deeds.ts";
import { LONG, must, newPage } from "./requests.ts";
import type { Service } from "./service.ts";
import { ROOT } from "./workspace.ts";

export async function largeAnswers({ ask }: Service): Promise<Deed[]> {
  const properties = { Name: { title: {} }, Text: { rich_text: {} } };
  const database = (await must(ask("POST /v2/databases", {
    parent: { page_id: ROOT },
    title: [{ text: { content: "Long" } }],
    properties,
  }))).json().id;
  const page = await newPage(ask);
  for (let n = 0; n < 41; n++) {
    await must(ask("POST /v2/pages", {
      parent: { database_id: database },
      properties: {
        Name: { title: Array.from({ length: 100 }, () => LONG) },
        Text: { rich_text: Array.from({ length: 100 }, () => LONG) },
      },
    }));
  }
  for (let n = 0; n < 25; n++) {
    const rich_text = Array.from({ length: 100 }, () => LONG);
    await must(ask(`PATCH /v2/blocks/${page}/children`, {
      children: Array.from({ length: 4 }, () => ({ paragraph: { rich_text } })),
    }));
  }
  return [
    {
      name: "query of 41 rows with texts of 400,000 characters",
      run: () => ask(`POST /v2/databases/${database}/query`, {}),
    },
    {
      name: "100 children with texts of 200,000 characters",
      run: () => ask(`GET /v2/blocks/${page}/children`),
    },
    {
      name: "search that finds them",
      run: () => ask("POST /v2/search", { query: "x".repeat(20) }),
    },
  ];
}
