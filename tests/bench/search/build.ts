/**
 * Builds a workspace of many pages with the service's own code: one commit per page.
 *
 * @module
 */
import { draftBlocks } from "../../../src/content/blocks/mod.ts";
import type { Change, Edit } from "../../../src/content/schema/node.ts";
import { newPage } from "../../../src/content/pages/pages.ts";
import { uuidv7 } from "../../../src/shared/std.ts";
import type { Store } from "../../../src/store/port.ts";
import type { Progress } from "../query/progress.ts";
import { createWords, type Language } from "./words.ts";

export const WORKSPACE = "default";
const EDITOR = "0197a000-0000-7000-8000-0000000000aa";

/** Words per title and per block, and blocks per page: about as long as what people write. */
const TITLE = 4;
const BLOCK = 20;
const BLOCKS = 7;

/** Returns the commit of the n-th page. */
export function pageCommit(number: number, language?: Language): Change[] {
  const words = createWords(number + 1, language);
  const edit: Edit = { time: Date.UTC(2024, 0, 1) + number * 1_000, by: EDITOR };
  const rich = (content: string) => [{ text: { content } }];
  const page = newPage({
    input: {
      parent: { workspace: true },
      properties: { title: { title: rich(words.text(TITLE)) } },
    },
    id: uuidv7(),
    parent: { kind: "workspace", id: null },
    position: `a${number.toString(36).padStart(6, "0")}V`,
    edit,
  });
  const blocks = draftBlocks(
    Array.from({ length: BLOCKS }, () => ({ paragraph: { rich_text: rich(words.text(BLOCK)) } })),
    {
      parent: { kind: "page", id: page.id, containerId: page.id },
      gap: { after: null, before: null },
      edit,
      newId: uuidv7,
    },
  );
  return [page, ...blocks].map((node) => ({ op: "insert", node }));
}

export interface PageRange {
  readonly from: number;
  readonly to: number;
  readonly language: Language;
}

/** Writes this many pages and returns pages per second. */
export async function buildPages(
  store: Store,
  { from, to, language }: PageRange,
  progress: Progress,
): Promise<number> {
  let time = 0;
  for (let number = from; number < to; number++) {
    progress("pages", (number - from) / (to - from));
    const changes = pageCommit(number, language);
    const start = performance.now();
    await store.commit(WORKSPACE, changes);
    time += performance.now() - start;
  }
  progress("done", 1);
  return (to - from) * 1_000 / time;
}
