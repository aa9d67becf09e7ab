import type { Rest } from "../../src/shared/yield_to_event_loop.ts";
import { LIMITS } from "../../src/content/values/limits.ts";
import { normalizeRequest } from "../../src/notion/any_version.ts";
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

/** A request with this body, which the version 2021-08-16 translates. */
function requestOf(operation: string, body: unknown) {
  return { operation, params: {}, query: "", body };
}

Deno.test("other requests may run between the conditions of a filter", async () => {
  const condition = (id: string) => ({ people: { contains: id }, text: {} });
  const list = (id: string) => Array.from({ length: COUNT }, () => ({ or: [condition(id)] }));
  const request = requestOf("queryDatabase", { filter: { and: list("me") } });
  const named = (context: StepContext) => normalizeRequest(request, { ...context, userId: "ann" });
  assertEquals(await pausesOf(named), 2 + 3 * COUNT);
  assertEquals(request.body, { filter: { and: list("ann") } });
  const renamed = (context: StepContext) => v2021_08_16.request?.(request, context);
  assertEquals(await pausesOf(renamed), 2 + 2 * COUNT);
});

Deno.test("conditions of a list that the schema refuses are neither renamed nor looked at", async () => {
  const and = Array.from(
    { length: LIMITS.filterConditions + 1 },
    () => ({ people: { contains: "me" }, text: {} }),
  );
  const request = requestOf("queryDatabase", { filter: { and } });
  const before = structuredClone(request);
  assertEquals(
    await pausesOf((context) => normalizeRequest(request, { ...context, userId: "ann" })),
    2,
  );
  assertEquals(await pausesOf((context) => v2021_08_16.request?.(request, context)), 2);
  assertEquals(request, before);
});

Deno.test("blocks of a list that the schema refuses are not renamed", async () => {
  const texts = Array.from(
    { length: LIMITS.blocksPerRequest + 1 },
    () => ({ quote: { text: [] } }),
  );
  const children = [{ toggle: { children: texts } }];
  const request = requestOf("appendBlockChildren", { children });
  const before = structuredClone(request);
  assertEquals(await pausesOf((context) => v2021_08_16.request?.(request, context)), 1);
  assertEquals(request, before);
});

Deno.test("a block may have more blocks in it than a call can have arguments", async () => {
  const list = Array.from({ length: LIMITS.blocksPerRequest }, () => ({}));
  const contents = Array.from({ length: COUNT }, (_, at) => [`a${at}`, { children: list }]);
  const request = requestOf("appendBlockChildren", { children: [Object.fromEntries(contents)] });
  const pauses = await pausesOf((context) => v2021_08_16.request?.(request, context));
  assertEquals(pauses, 1 + COUNT * LIMITS.blocksPerRequest);
});
