/**
 * Requests that fail, and why. Everything else must pass, and none of these may.
 *
 * @module
 */

export interface Failure {
  readonly client: string;
  readonly operation: string;
  readonly reason: string;
}

const MCP = "@notionhq/notion-mcp-server 2.5.2";
const ONE_SOURCE =
  "a database has one data source, which is made with it; create a database instead";

export const FAILURES: readonly Failure[] = [
  {
    client: MCP,
    operation: "create-a-comment",
    reason: "the tool sends no `Notion-Version`, which Notion refuses, too; configure it for all " +
      "requests with `OPENAPI_MCP_HEADERS`",
  },
  { client: MCP, operation: "create-a-data-source", reason: ONE_SOURCE },
  {
    client: `${MCP} with OPENAPI_MCP_HEADERS`,
    operation: "create-a-data-source",
    reason: ONE_SOURCE,
  },
  {
    client: "@langchain/community 1.1.29 on SDK 5.26.0",
    operation: "database",
    reason: "the loader calls `databases.query`, which SDK 5, its own dependency, does not have; " +
      "pages work, and so do databases with 0.3",
  },
  {
    client: "@activepieces/piece-notion 0.7.3",
    operation: "notion_move_page",
    reason: "the SDK inside the piece drops `parent` and sends an empty body",
  },
];
