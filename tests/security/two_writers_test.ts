import { assertEquals } from "../assert.ts";
import { paragraph } from "../api/driver.ts";
import { NEW_PAGE } from "./support.ts";
import { type ServiceProcess, startService } from "./service.ts";
import { withFolder } from "../support/folders.ts";

const WRITERS = 4;
const WRITES = 15;

/** Calls until it is not refused for a while, and answers the body. */
async function insist(
  { origin, headers }: ServiceProcess,
  [method, path]: readonly [string, string],
  body?: object,
): Promise<{ readonly id: string; readonly results: unknown[] }> {
  for (;;) {
    const response = await fetch(origin + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status === 200) return JSON.parse(text);
    assertEquals(response.status, 503, text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

Deno.test("Case 79: two processes that write one file at once lose nothing, and say so while they wait", () =>
  withFolder(async (folder) => {
    const services = [await startService(folder), await startService(folder)];
    try {
      const [first, second] = services;
      if (first === undefined || second === undefined) throw new Error("Two were started");
      const { id } = await insist(first, ["POST", "/v2/pages"], NEW_PAGE);
      const path = `/v2/blocks/${id}/children`;
      await Promise.all(services.flatMap((service) =>
        Array.from({ length: WRITERS }, async () => {
          for (let write = 0; write < WRITES; write++) {
            await insist(service, ["PATCH", path], { children: [paragraph("x")] });
          }
        })
      ));
      const all = new Set<string>();
      let more = "";
      for (;;) {
        const list = await insist(second, ["GET", `${path}?page_size=100${more}`]);
        for (const one of list.results) all.add(Object(one).id);
        const cursor = Object(list).next_cursor;
        if (cursor === null) break;
        more = `&start_cursor=${cursor}`;
      }
      assertEquals(all.size, 2 * WRITERS * WRITES);
    } finally {
      for (const service of services) await service.end("SIGTERM");
    }
  }));
