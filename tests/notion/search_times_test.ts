import { LIMITS } from "../../src/content/values/limits.ts";
import { meetTimes } from "../../src/notion/search_times.ts";
import { assertEquals, assertMatch } from "../assert.ts";
import { withNotion } from "./driver.ts";

const VERSION = "2022-02-22";
const OBJECT = { property: "object", value: "page" };

function edited(condition: object): object {
  return { timestamp: "last_edited_time", last_edited_time: condition };
}

Deno.test("a search of 2022-02-22 takes conditions on times beside the one on the object", () =>
  withNotion(async ({ notion }) => {
    const titles = ["One", "Two"];
    const pages = [];
    for (const title of titles) {
      pages.push(
        await notion("POST /pages", {
          parent: { workspace: true },
          properties: { title: [{ text: { content: title } }] },
        }),
      );
    }
    const found = async (...conditions: object[]) => {
      const body = { filter: { and: [OBJECT, ...conditions] } };
      const { results } = await notion("POST /search", body, VERSION);
      return results.map(({ id }: { readonly id: string }) => id).sort();
    };
    const ids = pages.map(({ id }) => id).sort();
    assertEquals(await found(edited({ after: "2020-01-01" })), ids);
    assertEquals(await found(edited({ after: Date.parse("2020-01-01") })), ids);
    assertEquals(await found(edited({ before: "2020-01-01T00:00:00.000Z" })), []);
    assertEquals(await found(edited({ on_or_after: pages[0].last_edited_time })), ids);
    const created = { timestamp: "created_time", created_time: { on_or_before: "2020-01-01" } };
    assertEquals(await found(edited({ after: "2020-01-01" }), created), []);
  }));

Deno.test("a search refuses other conditions on times, and all of them in other versions", () =>
  withNotion(async ({ refused }) => {
    for (
      const condition of [edited({ around: "2020-01-01" }), edited({ after: "soon" }), edited({})]
    ) {
      const { code } = await refused(
        "POST /search",
        { filter: { and: [OBJECT, condition] } },
        VERSION,
      );
      assertEquals(code, "validation_error");
    }
    const filter = { and: [OBJECT, edited({ after: "2020-01-01" })] };
    const { message } = await refused("POST /search", { filter });
    assertMatch(message, /body\.filter\.and\[1\]/);
  }));

Deno.test("of many conditions on times the strictest count", () => {
  const limits = [3, 1, 2].map((second) => edited({ after: second * 1_000 }));
  const before = [9, 8].map((second) => edited({ before: second * 1_000, on_or_before: 7_000 }));
  const body = { filter: { and: [...limits, ...before] } };
  const results = Array.from({ length: 10 }, (_, second) => ({
    last_edited_time: new Date(second * 1_000).toISOString(),
  }));
  assertEquals(meetTimes(results, body), results.slice(4, 8));
});

Deno.test("a search refuses more conditions on times than a filter may have in a list", () =>
  withNotion(async ({ notion, refused }) => {
    const body = (count: number) => ({
      filter: { and: Array.from({ length: count }, () => edited({ after: 0 })) },
    });
    await notion("POST /search", body(LIMITS.filterArray), VERSION);
    for (const version of [VERSION, "2021-05-13"]) {
      const { message } = await refused("POST /search", body(LIMITS.filterArray + 1), version);
      assertMatch(message, /body\.filter\.and should be of length ≤ `100`/);
    }
  }));
