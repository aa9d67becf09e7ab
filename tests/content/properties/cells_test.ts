import { EMPTY } from "../../../src/content/schema/cells.ts";
import { fold, sortKey } from "../../../src/content/schema/collation.ts";
import { cellsOf, hasCells } from "../../../src/content/properties/mod.ts";
import { assert, assertEquals } from "../../assert.ts";
import { ANN, BOB, propertyOf, SCHEMA, valuesOf } from "./samples.ts";
import type { PropertyType } from "../../../src/content/schema/property.ts";

function cells(type: PropertyType, given: unknown): unknown[] {
  return cellsOf([propertyOf(type)], valuesOf({ [type]: { [type]: given } }))
    .map(({ propertyId: _id, ordinal: _ordinal, ...cell }) => cell);
}

function ofText(text: string): unknown {
  return { number: null, key: sortKey(text), text: fold(text) };
}

function ofKey(key: string): unknown {
  return { number: null, key, text: null };
}

function ofNumber(number: number): unknown {
  return { number, key: null, text: null };
}

Deno.test("the cell of a text has a sort key and the folded text", () => {
  for (const type of ["url", "email", "phone_number"] as const) {
    assertEquals(cells(type, "ÀB"), [ofText("ÀB")]);
    assertEquals(cells(type, null), [EMPTY]);
  }
  const pieces = [{ text: { content: "À" } }, { equation: { expression: "b" } }];
  for (const type of ["title", "rich_text"] as const) {
    assertEquals(cells(type, pieces), [ofText("Àb")]);
  }
});

Deno.test("rich text without text is empty, unless a name is filled in later", () => {
  assertEquals(cells("title", [{ text: { content: "" } }]), [EMPTY]);
  assertEquals(cells("title", [{ mention: { user: { id: ANN } } }]), [ofText("")]);
});

Deno.test("numbers, checkboxes and dates are numbers; a zero has no sign", () => {
  const [zero] = cells("number", -0) as [{ number: number }];
  assert(Object.is(zero.number, 0));
  assertEquals([cells("checkbox", true), cells("checkbox", false)], [[ofNumber(1)], [ofNumber(0)]]);
  assertEquals(cells("date", { start: "2024-07-01", end: "2024-07-09" }), [
    ofNumber(Date.UTC(2024, 6, 1)),
  ]);
  assertEquals(cells("date", { start: "2024-07-01T10:00", time_zone: "Europe/Paris" }), [
    ofNumber(Date.UTC(2024, 6, 1, 8)),
  ]);
});

Deno.test("options, people and files have one cell each, in order", () => {
  assertEquals(cells("select", { name: "Red" }), [ofKey("id of Red")]);
  assertEquals(cells("status", { name: "Done" }), [ofKey("id of Done")]);
  assertEquals(cells("multi_select", [{ name: "Red" }, { name: "Blue" }]), [
    ofKey("id of Red"),
    ofKey("id of Blue"),
  ]);
  assertEquals(cells("people", [{ id: BOB }, { id: ANN }]), [ofKey(BOB), ofKey(ANN)]);
  const external = { url: "https://a.test" };
  assertEquals(cells("files", [{ name: "B", external }, { name: "a", external }]), [
    ofText("B"),
    ofText("a"),
  ]);
});

Deno.test("the cell of a verification has the time when it expires", () => {
  const date = { start: "2024-05-01", end: "2024-07-01" };
  const cell = (number: number) => ({ number, key: null, text: null });
  assertEquals(cells("verification", { state: "verified", date }), [cell(Date.UTC(2024, 6, 1))]);
  assertEquals(cells("verification", { state: "verified" }), [cell(8.64e15)]);
  assertEquals(cells("verification", { state: "unverified" }), [EMPTY]);
});

Deno.test("computed and linked values have no cells", () => {
  assertEquals(SCHEMA.map(({ type }) => type).filter((type) => !hasCells(type)), [
    "relation",
    "formula",
    "rollup",
    "created_time",
    "created_by",
    "last_edited_time",
    "last_edited_by",
    "button",
  ]);
  const [cell] = cellsOf([propertyOf("unique_id")], { unique_id: 4 });
  assertEquals(cell, { propertyId: "unique_id", ordinal: 0, number: 4, key: null, text: null });
});
