import { assertEquals, assertNotEquals } from "../assert.ts";
import type { Exchange } from "../support/exchanges.ts";
import { shapeOf } from "./shape.ts";

interface Sample extends Partial<Exchange> {
  readonly answer?: unknown;
}

const ID = "79cad1f5-75e6-8ce2-96b5-3ded3f6efa9f";
const PAGE = { object: "page", id: ID, cover: null, tags: [{ name: "Kingfisher" }], count: 3 };

function shape({ answer = PAGE, ...parts }: Sample = {}): string {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  return shapeOf({
    method: "GET",
    path: `/v2/pages/${ID}?page_size=1`,
    template: "/v2/pages/{page_id}",
    asked: { headers: [["if-none-match", '"abc"']], body: null },
    status: 200,
    answered: { headers: [], body: new TextEncoder().encode(text).toBase64() },
    ...parts,
  });
}

Deno.test("shapeOf() is one for values of one kind and size, and for more of the same items", () => {
  const id = "01a1fdba-c61f-7aa1-8173-f2e539366944";
  const tags = [{ name: "Woodpecker" }, { name: "Blackbird" }, { name: "Nightjar" }];
  assertEquals(shape({ answer: { ...PAGE, id, count: 2 } }), shape());
  assertEquals(
    shape({ answer: { ...PAGE, tags } }),
    shape({ answer: { ...PAGE, tags: tags.slice(1) } }),
  );
  assertEquals(shape({ asked: { headers: [["if-none-match", '"xyz"']], body: null } }), shape());
});

Deno.test("shapeOf() is another for another route, status, member, item, constant or kind of value", () => {
  const { cover: _, ...without } = PAGE;
  const others: readonly Sample[] = [
    { method: "PATCH" },
    { template: "/v2/blocks/{block_id}" },
    { path: `/v2/pages/${ID}?page_size=all` },
    { status: 404 },
    { asked: { headers: [], body: null } },
    { answered: { headers: [], body: null } },
    { answer: without },
    { answer: { ...PAGE, cover: {} } },
    { answer: { ...PAGE, object: "block" } },
    { answer: { ...PAGE, id: ID.replaceAll("-", "") } },
    { answer: { ...PAGE, count: 3.5 } },
    { answer: { ...PAGE, count: -3 } },
    { answer: { ...PAGE, tags: [] } },
    { answer: { ...PAGE, tags: [{ name: null }] } },
    { answer: { ...PAGE, tags: [{ name: "Kingfisher".repeat(9) }] } },
    { answer: "# Field notes" },
  ];
  for (const other of others) assertNotEquals(shape(other), shape(), JSON.stringify(other));
});
