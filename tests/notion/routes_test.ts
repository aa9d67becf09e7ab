/**
 * The list of routes in `docs/notion.md`.
 *
 * @module
 */
import { assertEquals } from "../assert.ts";
import { notionRoutes } from "../../src/notion/routes.ts";

const guide = await Deno.readTextFile("docs/notion.md");
const ROW = /^\| `([A-Z]+ \/v1\/[^`]+)` +\| (yes|no|refused) +\|/gm;

/** A route without the names of its parameters. */
function plain(route: string): string {
  return route.replaceAll(/:\w+/g, ":id");
}

Deno.test("the guide names every route that is served, and says no only of others", () => {
  const rows = [...guide.matchAll(ROW)].map(([, route = "", served = ""]) => [route, served]);
  const said = new Map(rows.map(([route = "", served = ""]) => [route, served]));
  assertEquals(said.size, rows.length, "no route is named twice");
  const served = new Set(notionRoutes.map(plain));
  assertEquals([...served].filter((route) => !said.has(route) || said.get(route) === "no"), []);
  assertEquals([...said].filter(([route, is]) => is === "no" && served.has(route)), []);
});

Deno.test("each table in the guide has every version", () => {
  const rows = [...guide.matchAll(/^\| `(\d{4}-\d\d-\d\d)` \|/gm)].map(([, version]) => version);
  assertEquals(rows, [
    "2021-05-11",
    "2021-05-13",
    "2021-08-16",
    "2022-02-22",
    "2022-06-28",
    "2025-09-03",
    "2026-03-11",
  ]);
});
