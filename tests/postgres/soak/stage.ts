/**
 * The content that the clients of one workspace share.
 *
 * @module
 */
import { paragraph, text } from "../../api/driver.ts";
import type { Caller } from "./caller.ts";

type Ids = readonly [string, ...string[]];

export interface Stage {
  /** Pages that all clients append to. */
  readonly lists: Ids;
  /** Blocks that all clients increment. */
  readonly counters: Ids;
  /** The page in which all clients create pages. */
  readonly home: string;
  readonly database: string;
}

const COUNTERS = 4;

/** A counter at this number; its mark says whether that is odd, so that half a write shows. */
export function counterAt(number: number): object {
  return { rich_text: text(String(number)), checked: number % 2 === 1 };
}

/** A page's title with two blocks that repeat it, so that half a write shows. */
export function echoesOf(title: string): string[] {
  return [`${title} first`, `${title} second`];
}

/** Two properties of a row that are always the same. */
export function twins(number: number): object {
  return { Count: { number }, Twin: { number } };
}

export async function setStage(caller: Caller): Promise<Stage> {
  const make = async (title: string, children: readonly object[] = []): Promise<string> =>
    (await caller.succeed("POST /v2/pages", {
      body: { parent: { workspace: true }, properties: { title: text(title) }, children },
    })).json.id;
  const counting = await make(
    "Counters",
    Array.from({ length: COUNTERS }, () => ({ to_do: counterAt(0) })),
  );
  const { json } = await caller.succeed(`GET /v2/blocks/${counting}/children`);
  const database = await caller.succeed("POST /v2/databases", {
    body: {
      parent: { workspace: true },
      title: text("Rows"),
      properties: {
        Name: { title: {} },
        No: { unique_id: {} },
        Count: { number: {} },
        Twin: { number: {} },
      },
    },
  });
  return {
    lists: [await make("List 1"), await make("List 2"), await make("List 3")],
    counters: json.results.map(({ id }: { id: string }) => id),
    home: await make("Home", [paragraph("Pages")]),
    database: database.json.id,
  };
}
