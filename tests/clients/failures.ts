/**
 * What does not work, and why. Everything else must pass, and none of these may.
 *
 * @module
 */

export interface Failure {
  /** How the client's name begins. */
  readonly client: string;
  readonly operation: string;
  readonly reason: string;
}

export const FAILURES: readonly Failure[] = [
  {
    client: "@langchain/community 1.1.29",
    operation: "database",
    reason: "the loader calls `databases.query`, which SDK 5, its own dependency, does not have; " +
      "install SDK 4 beside it",
  },
  {
    client: "@activepieces/piece-notion 0.7.3",
    operation: "notion_move_page",
    reason: "the SDK inside the piece drops `parent` and sends an empty body",
  },
];
