/** Requests that the types of swagger-typescript-api accept and refuse. */
import type { Block, BlockInput, Filter, Page } from "./data-contracts.ts";
import { V2 } from "./V2.ts";

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

export async function make(): Promise<string> {
  const answer = await new V2().createPage({ parent: { workspace: true }, properties: { title } });
  return answer.data.id;
}
