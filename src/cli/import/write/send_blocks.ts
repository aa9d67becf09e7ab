/**
 * Sends blocks in as many requests as they need, each with an idempotency key of its own.
 *
 * @module
 */
import { type JsonObject, objectsAt, textAt } from "../../transfer/json.ts";
import { type DividedBlock, portionsOf } from "./portions.ts";
import { CONTENT, type Registry } from "./registry.ts";
import type { Segment } from "./segments.ts";
import type { WriteInput } from "./write_plan.ts";

/** Blocks with the name of the request that sends them, which is the same in each run. */
export interface NamedSegment extends Segment {
  readonly name: string;
}

type Sender = Pick<WriteInput, "api"> & { readonly registry: Registry };

/** Appends blocks to a page or block. */
export async function sendBlocks(
  sender: Sender,
  parent: string,
  { position, blocks, name }: NamedSegment,
): Promise<void> {
  const portions = portionsOf(blocks).map((portion, index) => ({ portion, index }));
  // Portions for a fixed place are sent from the last to the first.
  if (position !== undefined) portions.reverse();
  for (const { portion, index } of portions) {
    const ids = await sendPortion(sender, parent, { position, portion, name: `${name}/${index}` });
    for (const [at, { rest }] of portion.entries()) {
      if (rest.length === 0) continue;
      const more = { position: undefined, blocks: rest, name: `${name}/${index}/${at}` };
      await sendBlocks(sender, ids[at] ?? "", more);
    }
  }
}

interface Portion {
  readonly position: JsonObject | undefined;
  readonly portion: readonly DividedBlock[];
  readonly name: string;
}

/** Resolves to the IDs of the new blocks. */
async function sendPortion(
  { api, registry }: Sender,
  parent: string,
  { position, portion, name }: Portion,
): Promise<string[]> {
  const children = portion.map(({ first }) => first);
  // Blocks are JSON, which their type does not say.
  const body = { children, ...(position && { position }) } as unknown as JsonObject;
  const key = registry.keyOf({ key: name, step: CONTENT });
  const reply = await api.patch(`/v2/blocks/${parent}/children`, body, { key });
  return objectsAt(reply, "results").map((block) => textAt(block, "id"));
}
