/** Requests that the types of orval's client accept and refuse. */
import { type Block, type BlockInput, createPage, type Filter, type Page } from "./api.ts";

const title = [{ text: { content: "Notes" } }];
export const block: BlockInput = { toggle: { rich_text: title, children: [{ divider: {} }] } };
export const filter: Filter = { and: [{ property: "Count", number: { greater_than: 2 } }] };
// @ts-expect-error -- a number is not asked as a text is
export const wrongFilter: Filter = { property: "Count", number: { starts_with: "a" } };
// @ts-expect-error -- there is no such block
export const wrongBlock: BlockInput = { paragraf: { rich_text: title } };

export function read(block: Block, page: Page): unknown {
  // @ts-expect-error -- there may be no icon
  page.icon.type;
  if (block.type === "to_do") return block.to_do.checked;
  // @ts-expect-error -- a block has a heading only where it is one
  return block.heading_2;
}

export async function make(): Promise<string | undefined> {
  // An object of constants alone is one value to orval, so `type` is given too.
  const parent = { type: "workspace", workspace: true } as const;
  const answer = await createPage({ parent, properties: { title } });
  return answer.status === 200 ? answer.data.id : undefined;
}
