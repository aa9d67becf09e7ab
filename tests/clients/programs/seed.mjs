// Writes what readers read: a page of every block, a tree of pages, and a database of 300 rows.
import { finish, request, text, title } from "./lib.mjs";
import { everyBlock, everyProperty, everyValue } from "./content.mjs";

const ROWS = 300;
const AT_ONCE = 8;

const page = (parent, name, children = []) =>
  request("POST", "/v1/pages", { parent, properties: { title: title(name) }, children });
const database = (parent, name, properties) =>
  request("POST", "/v1/databases", { parent, title: [text(name)], properties });

/** Runs `work` for each number below `count`, a few at a time. */
async function each(count, work) {
  let next = 0;
  const one = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

const me = await request("GET", "/v1/users/me");
const root = await page({ workspace: true }, "Seed");
const parent = { page_id: root.id };
const blocks = await page(parent, "Every block");
const linked = await page(parent, "Linked page");
const appended = await request("PATCH", `/v1/blocks/${blocks.id}/children`, {
  children: everyBlock({ page: linked.id, person: me.id }),
});
const original = appended.results.at(-1);
await request("PATCH", `/v1/blocks/${blocks.id}/children`, {
  children: [{
    synced_block: { synced_from: { type: "block_id", block_id: original.id } },
  }],
});
const long = await page(parent, "Long page");
for (let start = 0; start < 250; start += 50) {
  await request("PATCH", `/v1/blocks/${long.id}/children`, {
    children: Array.from({ length: 50 }, (_, index) => ({
      paragraph: { rich_text: [text(`Line ${start + index}`)] },
    })),
  });
}
const child = await page({ page_id: linked.id }, "Child page", [
  { paragraph: { rich_text: [text("Text of the child")] } },
]);
const grandchild = await page({ page_id: child.id }, "Grandchild page", [
  { paragraph: { rich_text: [text("Text of the grandchild")] } },
]);
const costs = await database(parent, "Costs", { Name: { title: {} }, Cost: { number: {} } });
const cost = async (name, number) =>
  (await request("POST", "/v1/pages", {
    parent: { database_id: costs.id },
    properties: { Name: title(name), Cost: { number } },
  })).id;
const related = [await cost("one", 1), await cost("two", 2)];
const rows = await database(parent, "Rows", everyProperty(costs.id));
await each(ROWS, (number) =>
  request("POST", "/v1/pages", {
    parent: { database_id: rows.id },
    properties: everyValue(`Row ${number}`, { number, person: me.id, related }),
    children: number < 3 ? [{ paragraph: { rich_text: [text(`Text of row ${number}`)] } }] : [],
  }));
const small = await database({ page_id: linked.id }, "Small", {
  Name: { title: {} },
  Number: { number: {} },
});
for (const number of [0, 1, 2]) {
  await request("POST", "/v1/pages", {
    parent: { database_id: small.id },
    properties: { Name: title(`Small ${number}`), Number: { number } },
    children: [{ paragraph: { rich_text: [text(`Text of small ${number}`)] } }],
  });
}

finish({
  me: me.id,
  root: root.id,
  blocks: blocks.id,
  linked: linked.id,
  long: long.id,
  child: child.id,
  grandchild: grandchild.id,
  costs: costs.id,
  related,
  rows: rows.id,
  small: small.id,
  rowCount: ROWS,
});
