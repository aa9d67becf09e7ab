import { linksIn, missingOptions } from "../../../src/content/properties/mod.ts";
import { assertEquals } from "../../assert.ts";
import { ANN, propertyOf, read, ROW, SCHEMA } from "./samples.ts";

Deno.test("missingOptions() returns each new name of selects once, in order, with its colour", () => {
  const input = read({
    "The select": { select: { name: "New", color: "pink" } },
    "The multi_select": {
      multi_select: [{ name: "B" }, { name: "Red" }, { name: "A" }, { name: "B", color: "red" }],
    },
    "The status": { status: { name: "Lost" } },
  });
  assertEquals(missingOptions(SCHEMA, input), [
    { propertyId: "select", name: "New", color: "pink" },
    { propertyId: "multi_select", name: "B", color: "red" },
    { propertyId: "multi_select", name: "A", color: undefined },
  ]);
});

Deno.test("missingOptions() finds an option by its id, or else by its name", () => {
  const given = [
    { id: "id of Red", name: "Renamed" },
    { id: "of another database", name: "Blue" },
    { id: "of another database", name: "toString" },
  ];
  assertEquals(missingOptions(SCHEMA, read({ multi_select: { multi_select: given } })), [
    { propertyId: "multi_select", name: "toString", color: undefined },
  ]);
  assertEquals(missingOptions(SCHEMA, read({ select: { select: null }, Nope: { number: 1 } })), []);
});

Deno.test("linksIn() returns each row of a relation once, in order", () => {
  const ids = [{ id: ROW.toUpperCase() }, { id: ANN }, { id: ROW.replaceAll("-", "") }];
  assertEquals(linksIn(SCHEMA, read({ "The relation": { relation: ids } })), [
    { property: propertyOf("relation") as never, ids: [ROW, ANN] },
  ]);
  assertEquals(linksIn(SCHEMA, read({ relation: { relation: [] } })).map(({ ids }) => ids), [[]]);
  assertEquals(linksIn(SCHEMA, read({ number: { number: 1 } })), []);
});
