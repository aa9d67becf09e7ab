import type { Rest } from "../../src/shared/yield_to_event_loop.ts";
import type { StepContext } from "../../src/notion/step.ts";
import { v2021_05_11 } from "../../src/notion/versions/2021_05_11.ts";
import { v2021_08_16 } from "../../src/notion/versions/2021_08_16.ts";
import { assertEquals } from "../assert.ts";

const COUNT = 30;

/** Counts at how many points a translation lets other requests run. */
async function pausesOf(translate: (context: StepContext) => unknown): Promise<number> {
  let pauses = 0;
  const rest: Rest = () => {
    pauses++;
    return undefined;
  };
  // Sound because these steps use nothing else of their context.
  await translate({ rest } as StepContext);
  return pauses;
}

Deno.test("other requests may run between the pages of a reply in an older version", async () => {
  const results = Array.from({ length: COUNT }, () => ({ object: "page", properties: {} }));
  const reply = { object: "list", results };
  assertEquals(await pausesOf((context) => v2021_05_11.reply?.(reply, context)), COUNT);
});

Deno.test("other requests may run between the blocks of a request in an older version", async () => {
  const paragraph = { paragraph: { text: [] } };
  const children: unknown[] = Array.from({ length: COUNT }, () => ({
    toggle: { text: [], children: [structuredClone(paragraph)] },
  }));
  const request = {
    operation: "appendBlockChildren",
    params: {},
    query: "",
    body: { children },
  };
  assertEquals(await pausesOf((context) => v2021_08_16.request?.(request, context)), 2 * COUNT);
  assertEquals(children[0], {
    toggle: { children: [{ paragraph: { rich_text: [] } }], rich_text: [] },
  });
});
